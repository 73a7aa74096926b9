// SPDX-License-Identifier: Apache-2.0
// Passes, contexts and instruments as Python sees them.
#include "tain/graph/pass.h"
#include "tain/reflection/object_def.h"

namespace tain::transform {
namespace {

using reflection::ObjectDef;

void DescribeInstruments() {
  // Not thread_safe: instruments note what happens, each as its author likes.
  ObjectDef<PassInstrumentObj>(
      "Observes the passes of its contexts. A subclass overrides the methods that it needs.")
      .def_init<>()
      .def_virtual("enter_context", &PassInstrumentObj::enter_context_impl,
                   "Is called when a context with the instrument begins.")
      .def_virtual("exit_context", &PassInstrumentObj::exit_context_impl,
                   "Is called when a context with the instrument ends.")
      .def_virtual("should_run", &PassInstrumentObj::should_run_impl, arg("graph"), arg("info"),
                   "Returns whether the pass `info` runs.")
      .def_virtual("before_pass", &PassInstrumentObj::before_pass_impl, arg("graph"), arg("info"),
                   "Is called with what the pass `info` gets.")
      .def_virtual("after_pass", &PassInstrumentObj::after_pass_impl, arg("graph"), arg("info"),
                   "Is called with what the pass `info` returned.")
      .def_virtual("failed_pass", &PassInstrumentObj::failed_pass_impl, arg("info"),
                   "Is called when the pass `info` has raised an exception.");
  ObjectDef<PassTimingObj>("Measures how long passes take, since its context began.")
      .def_init<>()
      .def_property("seconds", &PassTimingObj::Seconds,
                    "The seconds of each pass, by name, including the passes that it ran.")
      .def("report", &PassTimingObj::Report,
           "Returns a line for each pass that ran, indented as the passes nest.");
}

void DescribeContext() {
  // Each thread has its own contexts, which do not change. What says nothing of threads takes
  // containers, which may change, or calls instruments.
  ObjectDef<PassContextObj>(
      "Which passes of a sequence run, options, and instruments; for a `with` statement.\n\n"
      "A sequence runs a pass if its level is at most `opt_level`, or its name is in\n"
      "`required_pass`, unless its name is in `disabled_pass`.")
      .def_ro("opt_level", &PassContextObj::opt_level)
      .def_ro("required_pass", &PassContextObj::required_pass)
      .def_ro("disabled_pass", &PassContextObj::disabled_pass)
      .def_ro("config", &PassContextObj::config, "Options for passes.")
      .def_ro("instruments", &PassContextObj::instruments)
      .def_static(
          "__create__",
          [](int64_t opt_level, Array<String> required, Array<String> disabled,
             Map<String, Any> config, Array<PassInstrument> instruments) {
            const ObjectPtr<PassContextObj> made = make_object<PassContextObj>();
            made->opt_level = opt_level;
            made->required_pass = std::move(required);
            made->disabled_pass = std::move(disabled);
            made->config = std::move(config);
            made->instruments = std::move(instruments);
            return Ref<PassContextObj>(made);
          },
          arg("opt_level") = 2, arg("required_pass") = Array<String>(),
          arg("disabled_pass") = Array<String>(), arg("config") = Map<String, Any>(),
          arg("instruments") = Array<PassInstrument>())
      .def_static(
          "current", [] { return Ref<PassContextObj>(PassContext::Current()); },
          "Returns the innermost context of the thread; without one, one with the defaults.",
          thread_safe())
      .def(
          "enables",
          [](const PassContextObj& self, const Pass& pass) { return self.Enables(*pass); },
          arg("info"), "Whether a sequence runs the pass.", thread_safe())
      .def("__enter__",
           [](const Ref<PassContextObj>& self) {
             self->Enter();
             return self;
           })
      .def("__exit__", [](const Ref<PassContextObj>& self, const Any&, const Any&, const Any&) {
        self->Exit();
        return false;
      });
}

void DescribePasses() {
  // Not thread_safe: what passes do is others' code.
  ObjectDef<PassObj>(
      "A named function from graph to graph. A subclass overrides `run`; `pass_(graph)` runs it.")
      .def_ro("name", &PassObj::name)
      .def_ro("opt_level", &PassObj::opt_level,
              "The lowest `opt_level` of a context at which a sequence runs the pass.")
      .def_ro("required", &PassObj::required,
              "Names of passes that a sequence runs before this one.")
      .def_init<String, int64_t, Array<String>>(arg("name"), arg("opt_level") = 0,
                                                arg("required") = Array<String>())
      .def_virtual("run", &PassObj::run_impl, arg("graph"),
                   "The work of the pass: returns the new graph, or the same.", abstract())
      .def("__call__", &PassObj::Apply, arg("graph"),
           "Runs the pass and tells the instruments of the current context.");
  ObjectDef<FunctionPassObj>("A pass that calls a function with the graph and the context.")
      .def_ro("body", &FunctionPassObj::body)
      .def_init<String, int64_t, Array<String>, Function>(arg("name"), arg("opt_level"),
                                                          arg("required"), arg("body"));
  ObjectDef<SequentialObj>("Runs passes in order: those that the current context enables.")
      .def_ro("passes", &SequentialObj::passes)
      .def_init<Array<Pass>, String, int64_t, Array<String>>(
          arg("passes"), arg("name") = "sequential", arg("opt_level") = 0,
          arg("required") = Array<String>());
}

}  // namespace
}  // namespace tain::transform

TAIN_REGISTER {
  tain::transform::DescribeInstruments();
  tain::transform::DescribeContext();
  tain::transform::DescribePasses();
  // Not thread_safe: it calls the function that somebody registered.
  tain::reflection::GlobalDef().def("tain.transform.get_pass", &tain::transform::GetPass,
                                    tain::arg("name"), "Returns a registered pass.");
}
