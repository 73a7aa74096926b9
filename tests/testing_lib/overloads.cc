// SPDX-License-Identifier: Apache-2.0
// Overloaded functions, methods and constructors, variadic functions, and loops that may be
// interrupted.
#include <chrono>
#include <string>
#include <thread>

#include "tain/tain.h"

namespace tain_testing {
namespace {

using tain::Any;
using tain::arg;
using tain::Args;
using tain::Array;
using tain::Function;
using tain::Kwargs;

/// A length with a unit, to be made in several ways.
struct LengthObj : tain::Object {
  double meters = 0;
  LengthObj() = default;
  explicit LengthObj(double m) : meters(m) {}
  LengthObj(double value, const std::string& unit) : meters(unit == "km" ? 1000 * value : value) {
    TAIN_CHECK(unit == "km" || unit == "m") << "unit: expected 'km' or 'm', got '" << unit << "'";
  }

  double Scaled(int64_t factor) const { return meters * static_cast<double>(factor); }
  std::string Named(const std::string& name) const { return name + ": " + std::to_string(meters); }
  TAIN_OBJECT("testing.Length", LengthObj, tain::Object);
};
using Length = tain::Ref<LengthObj>;

/// The same by static methods.
struct TagObj : tain::Object {
  std::string text;
  TAIN_OBJECT("testing.Tag", TagObj, tain::Object);
};

tain::ObjectPtr<TagObj> MakeTag(std::string text) {
  auto made = tain::make_object<TagObj>();
  made->text = std::move(text);
  return made;
}

enum class Side { kLeft = 0, kRight = 1 };

std::string KindOfInt(int64_t) { return "int"; }
std::string KindOfFloat(double) { return "float"; }
std::string KindOfText(const std::string&) { return "str"; }

/// Runs for a time that a test chooses.
int64_t Loop(double seconds, bool check) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int64_t rounds = 0;
  while (std::chrono::steady_clock::now() < end) {
    if (check) tain::check_signals();
    ++rounds;
  }
  return rounds;
}

/// The same on a thread that Python does not know.
std::string LoopOnThread(double seconds) {
  std::string outcome = "done";
  std::thread worker([&] {
    try {
      Loop(seconds, true);
    } catch (const tain::Error& error) {
      outcome = error.kind();
    }
  });
  worker.join();
  return outcome;
}

Any CallWith(const Function& f, Args args, const Kwargs& kwargs) {
  return f.CallPacked(args, kwargs);
}

Array<Any> Parts(int64_t first, Args args, Kwargs kwargs) {
  Array<Any> rest;
  for (int32_t i = 0; i < args.size(); ++i) rest.push_back(Any(args[i]));
  return {first, rest, kwargs.map()};
}

void RegisterFunctions() {
  tain::reflection::GlobalDef()
      .def("testing.kind", KindOfFloat, arg("x"), "Of a number.")
      .def("testing.kind", KindOfInt, arg("x"), "Of a whole number.")
      .def("testing.kind", KindOfText, arg("x"))
      .def(
          "testing.kind", [](const Array<int64_t>& x) { return "ints" + std::to_string(x.size()); },
          arg("x"))
      .def(
          "testing.kind", [](const LengthObj&, bool loud) { return loud ? "LENGTH" : "length"; },
          arg("x"), (arg("loud") = false).kw_only())
      .def(
          "testing.kind", [](double, const std::string& unit) { return "float in " + unit; },
          arg("x"), arg("unit"))
      .def("testing.kind_unnamed",
           tain::overload(KindOfInt, KindOfText, [](Any, Any) { return std::string("two"); }),
           "A kind.")
      .def(
          "testing.small_or_large", [](int8_t) { return std::string("small"); }, arg("x"),
          tain::thread_safe())
      .def(
          "testing.small_or_large", [](int64_t) { return std::string("large"); }, arg("x"),
          tain::thread_safe())
      .def("testing.take",
           tain::overload([](Array<int64_t> x, int64_t) { return x.use_count(); },
                          [](Array<int64_t> x, const std::string&) { return -x.use_count(); }))
      .def(
          "testing.fails_inside",
          [](int64_t x) {
            if (x < 0) TAIN_THROW(TypeError) << "from the body";
            return Function::GetGlobalRequired("testing.add_one")("no number").cast<int64_t>();
          },
          arg("x"))
      .def(
          "testing.fails_inside", [](const std::string&) { return int64_t{0}; }, arg("x"))
      .def(
          "testing.nested", [](int64_t x) { return "inner " + std::to_string(x); }, arg("x"))
      .def(
          "testing.nested",
          [](const Array<Any>& x) {
            const auto nested = Function::GetGlobalRequired("testing.nested");
            return "outer " + nested(x[0]).cast<std::string>();
          },
          arg("x"))
      .def("testing.loop_or_say", Loop, arg("seconds"), arg("check"), tain::release_gil())
      .def(
          "testing.loop_or_say", [](const std::string& text) { return text; }, arg("text"))
      .def(
          "testing.recurse", [](int64_t x) { return x; }, arg("x"))
      .def(
          "testing.recurse",
          [](const Function& f) {
            f();
            return int64_t{0};
          },
          arg("x"))
      .def(
          "testing.side_of", [](int64_t x) { return x < 0 ? Side::kLeft : Side::kRight; }, arg("x"),
          tain::thread_safe())
      .def(
          "testing.side_of", [](const std::string& x) { return x; }, arg("x"), tain::thread_safe());
}

void RegisterVariadic() {
  tain::reflection::GlobalDef()
      .def("testing.parts", Parts, arg("first"), "Its arguments.")
      .def("testing.parts_named", Parts, arg("first") = 7, arg("more"), arg("options"))
      .def("testing.only_keywords", [](const Kwargs& kwargs) { return kwargs.map(); })
      .def("testing.keyword", [](const Kwargs& kwargs) { return kwargs["name"]; })
      .def("testing.call_with", CallWith, arg("f"), "Calls f(*args, **kwargs).")
      .def(
          "testing.call_greet",
          [](const Function& f) { return f("you", Kwargs{{"greeting", "hi"}, {"end", 1}}); },
          arg("f"));
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::EnumDef<Side>("testing.Side").value("LEFT", Side::kLeft).value("RIGHT", Side::kRight);
  refl::ObjectDef<LengthObj>("A length.")
      .def_ro("meters", &LengthObj::meters)
      .def_init<>("Nothing.")
      .def_init<double>(arg("meters"), "In meters.")
      .def_init<double, const std::string&>(arg("value"), arg("unit"))
      .def("show", &LengthObj::Scaled, arg("factor"), "Times a factor.")
      .def("show", &LengthObj::Named, arg("name"))
      .def("__add__",
           [](const LengthObj& a, const LengthObj& b) {
             return tain::make_object<LengthObj>(a.meters + b.meters);
           })
      .def("__add__",
           [](const LengthObj& a, double b) { return tain::make_object<LengthObj>(a.meters + b); })
      .def_static(
          "parse",
          [](const std::string& text) { return tain::make_object<LengthObj>(std::stod(text)); })
      .def_static("parse",
                  [](int64_t value, const std::string& unit) {
                    return tain::make_object<LengthObj>(static_cast<double>(value), unit);
                  })
      .def("call", [](const LengthObj&, const Function& f, Args args, const Kwargs& kwargs) {
        return f.CallPacked(args, kwargs);
      });
  refl::ObjectDef<TagObj>(tain::thread_safe())
      .def_ro("text", &TagObj::text)
      .def_static(
          "__create__", [](int64_t x) { return MakeTag(std::to_string(x)); }, arg("number"))
      .def_static("__create__", [](const std::string& x) { return MakeTag(x); }, arg("text"));
  RegisterFunctions();
  RegisterVariadic();
  refl::GlobalDef()
      .def("testing.loop", Loop, arg("seconds"), arg("check") = true)
      .def("testing.loop_free", Loop, arg("seconds"), arg("check") = true, tain::release_gil())
      .def("testing.loop_on_thread", LoopOnThread, arg("seconds"), tain::release_gil());
}

}  // namespace tain_testing
