// SPDX-License-Identifier: Apache-2.0
// Passes: named functions from graph to graph, in sequences, with a context and instruments.
//
//   TAIN_REGISTER {
//     tain::transform::RegisterPass(tain::transform::CreatePass(
//         "FoldConstant", 2, [](const Expr& e) { return ConstantFolder().Mutate(e); }));
//   }
//   Pass all = Sequential({GetPass("FoldConstant"), GetPass("Inline")});
//   PassContext::Scope scope(context);
//   Any result = all->Apply(graph);
// A pass may be written in Python too; python/tain/transform has the same names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tain/container/array.h"
#include "tain/container/map.h"
#include "tain/reflection/global_def.h"
#include "tain/virtual.h"

namespace tain::transform {

class PassObj;
class PassContextObj;

/// A handle to a pass.
using Pass = Ref<PassObj>;

/// Observes passes by its methods. By default they do nothing, and `should_run` returns true.
class PassInstrumentObj : public Object {
 public:
  virtual ~PassInstrumentObj() = default;
  /// Called when a context with this instrument begins, and when it ends.
  TAIN_VIRTUAL(enter_context)
  virtual void enter_context_impl() {}
  TAIN_VIRTUAL(exit_context)
  virtual void exit_context_impl() {}
  /// Whether the pass runs; if not, the graph stays as it is.
  TAIN_VIRTUAL(should_run)
  virtual bool should_run_impl(const Any&, const Pass&) { return true; }
  /// Called with the graph that a pass gets, and with the graph that it returned.
  TAIN_VIRTUAL(before_pass)
  virtual void before_pass_impl(const Any&, const Pass&) {}
  TAIN_VIRTUAL(after_pass)
  virtual void after_pass_impl(const Any&, const Pass&) {}
  /// Called when the pass has thrown an error.
  TAIN_VIRTUAL(failed_pass)
  virtual void failed_pass_impl(const Pass&) {}

  TAIN_OBJECT("tain.transform.PassInstrument", PassInstrumentObj, Object);
};
using PassInstrument = Ref<PassInstrumentObj>;

/// Which passes of a sequence run, options, and instruments. Each thread has a stack of contexts.
class PassContextObj : public Object {
 public:
  int64_t opt_level = 2;        ///< a sequence runs the passes whose opt_level is not greater
  Array<String> required_pass;  ///< passes that a sequence runs whatever their level, by name
  Array<String> disabled_pass;  ///< passes that a sequence does not run, by name
  Map<String, Any> config;      ///< options of passes
  Array<PassInstrument> instruments;

  /// Whether a sequence runs the pass.
  TAIN_DLL bool Enables(const PassObj& pass) const;
  /// Returns an option, or a default.
  template <class T>
  T Config(const String& key, T otherwise) const {
    const auto found = config.find(key);
    return found == config.end() ? std::move(otherwise) : Any((*found).second).cast<T>();
  }
  /// Makes this the current context of the thread, unless an instrument throws an error.
  TAIN_DLL void Enter();
  /// Ends the current context. Throws RuntimeError if another is the current one.
  TAIN_DLL void Exit();

  TAIN_OBJECT("tain.transform.PassContext", PassContextObj, Object);
};

/// A handle to a context, never null.
class PassContext : public Ref<PassContextObj> {
 public:
  using Ref::Ref;
  /// Returns the innermost context of the thread; without one, a context with the defaults.
  TAIN_DLL static PassContext Current();

  /// Makes a context the current one as long as it lives. Errors of instruments at its end are
  /// dropped.
  class TAIN_DLL Scope : internal::NotCopied {
   public:
    explicit Scope(PassContext context);
    ~Scope();

   private:
    Ref<PassContextObj> context_;
  };
};

/// A named function from graph to graph.
class TAIN_DLL PassObj : public Object {
 public:
  String name;
  int64_t opt_level = 0;   ///< the lowest level of a context at which a sequence runs the pass
  Array<String> required;  ///< passes that a sequence runs before this one, by name

  PassObj(String its_name, int64_t level, Array<String> needed)
      : name(std::move(its_name)), opt_level(level), required(std::move(needed)) {}
  virtual ~PassObj();

  /// Runs the pass and tells the instruments of the current context. An error names the pass.
  Any Apply(Any graph);
  /// The work of the pass: returns the new graph, or the same.
  TAIN_VIRTUAL(run)
  virtual Any run_impl(Any) { TAIN_ABSTRACT(run); }

  TAIN_OBJECT("tain.transform.Pass", PassObj, Object);
};

/// A pass that is a function of the graph and the context.
class TAIN_DLL FunctionPassObj : public PassObj {
 public:
  Function body;
  FunctionPassObj(String its_name, int64_t level, Array<String> needed, Function work)
      : PassObj(std::move(its_name), level, std::move(needed)), body(std::move(work)) {}
  Any run_impl(Any graph) override;

  TAIN_OBJECT("tain.transform.FunctionPass", FunctionPassObj, PassObj);
};

/// A pass that runs others in order.
class TAIN_DLL SequentialObj : public PassObj {
 public:
  Array<Pass> passes;
  SequentialObj(Array<Pass> parts, String its_name, int64_t level, Array<String> needed)
      : PassObj(std::move(its_name), level, std::move(needed)), passes(std::move(parts)) {}
  Any run_impl(Any graph) override;

  TAIN_OBJECT("tain.transform.Sequential", SequentialObj, PassObj);
};

/// An instrument that measures how long passes take.
class TAIN_DLL PassTimingObj : public PassInstrumentObj {
 public:
  void enter_context_impl() override;
  void before_pass_impl(const Any& graph, const Pass& pass) override;
  void after_pass_impl(const Any& graph, const Pass& pass) override;
  void failed_pass_impl(const Pass& pass) override;
  /// Returns the seconds of each pass by name, including the passes that it ran.
  Map<String, double> Seconds() const;
  /// Returns a line for each pass that ran, indented as the passes nest.
  String Report() const;

  TAIN_OBJECT("tain.transform.PassTiming", PassTimingObj, PassInstrumentObj);

 private:
  struct Entry {
    String name;
    int64_t depth;
    double begin;
    double seconds;  ///< negative while the pass runs
  };
  void End(const Pass& pass);
  std::vector<Entry> entries_;
  std::vector<size_t> running_;
};

/// Makes a pass from any function of the graph, or of the graph and the PassContext. Argument and
/// result are converted as for registered functions.
template <class F>
Pass CreatePass(String name, int64_t opt_level, F f, Array<String> required = {}) {
  Function body;
  if constexpr (std::is_base_of_v<Function, F>) {
    body = std::move(f);
  } else {
    const Function call = Function::FromTyped(std::move(f));
    using Call = typename internal::FunctionCall<F>::Type;
    if constexpr (internal::SignatureTools<internal::SignatureOf<Call>>::kNumParams == 2) {
      body = call;
    } else {
      body = Function::FromPacked([call](Args args) { return call(args[0]); });
    }
  }
  return make_object<FunctionPassObj>(std::move(name), opt_level, std::move(required),
                                      std::move(body));
}

/// Makes a sequence.
TAIN_DLL Pass Sequential(Array<Pass> passes, String name = "sequential");

/// The prefix of the global function that returns a registered pass; the pass's name follows it.
inline constexpr const char* kPassPrefix = "tain.pass.";

/// Registers a pass under its name, as part of the calling library's registrations.
inline void RegisterPass(const Pass& pass) {
  const std::string name = std::string(kPassPrefix) + std::string(pass->name);
  reflection::GlobalDef().def(name.c_str(), [pass]() { return pass; }, thread_safe());
}
/// Returns a registered pass. Throws ValueError with similar names if there is none.
TAIN_DLL Pass GetPass(const String& name);

}  // namespace tain::transform
