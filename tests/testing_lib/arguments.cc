// SPDX-License-Identifier: Apache-2.0
// Functions of every number of arguments, with names, defaults, keywords and rests.
#include <string>

#include "tain/tain.h"

namespace tain_testing {
namespace {

using tain::String;

std::string Greet(const std::string& name, const std::string& greeting,
                  const std::string& punctuation) {
  return greeting + ", " + name + punctuation;
}

int64_t Scale(int64_t x, int64_t factor, bool negate) { return negate ? -x * factor : x * factor; }

/// Sum of a start and the rest.
int64_t SumFrom(int64_t start, tain::Args rest) {
  for (int32_t i = 0; i < rest.size(); ++i) start += rest[i].cast<int64_t>();
  return start;
}

int64_t next_serial = 0;
int64_t Serial(int64_t value) { return value; }

int64_t Positional(int64_t a, double b) { return a + static_cast<int64_t>(b); }

/// A method with a default that only C++ knows.
struct ScaledObj : tain::Object {
  int64_t value = 7;
  int64_t Times(int64_t by = 2) const { return value * by; }
  TAIN_OBJECT("testing.Scaled", ScaledObj, tain::Object);
};

int64_t Scaled(int64_t x, int64_t by = 2, int64_t times = 1) { return x * by * times; }
int64_t ScaledBy(int64_t x, int64_t by) { return Scaled(x, by); }
int64_t ScaledOnce(int64_t x) { return Scaled(x); }

/// Parameters as a generator of code would hand them over.
constexpr tain::arg_spec kScaledParams[] = {
    {"x", "what to scale"}, {"by"}, {"times", "", kTainArgKwOnly | kTainArgOptional}};

void RegisterSums() {
  using tain::arg;
  using I = int64_t;
  tain::reflection::GlobalDef()
      .def(
          "testing.sum0", [] { return I{0}; }, tain::thread_safe())
      .def(
          "testing.sum1", [](I a) { return a; }, arg("a"), tain::thread_safe())
      .def(
          "testing.sum2", [](I a, I b) { return a + b; }, arg("a"), arg("b"), tain::thread_safe())
      .def(
          "testing.sum3", [](I a, I b, I c) { return a + b + c; }, arg("a"), arg("b"), arg("c"),
          tain::thread_safe())
      .def(
          "testing.sum4", [](I a, I b, I c, I d) { return a + b + c + d; }, arg("a"), arg("b"),
          arg("c"), arg("d"), tain::thread_safe())
      .def(
          "testing.sum5", [](I a, I b, I c, I d, I e) { return a + b + c + d + e; }, arg("a"),
          arg("b"), arg("c"), arg("d"), arg("e"), tain::thread_safe())
      .def(
          "testing.sum6", [](I a, I b, I c, I d, I e, I f) { return a + b + c + d + e + f; },
          arg("a"), arg("b"), arg("c"), arg("d"), arg("e"), arg("f"), tain::thread_safe())
      .def(
          "testing.sum7",
          [](I a, I b, I c, I d, I e, I f, I g) { return a + b + c + d + e + f + g; }, arg("a"),
          arg("b"), arg("c"), arg("d"), arg("e"), arg("f"), arg("g"), tain::thread_safe())
      .def(
          "testing.sum8",
          [](I a, I b, I c, I d, I e, I f, I g, I h) { return a + b + c + d + e + f + g + h; },
          arg("a"), arg("b"), arg("c"), arg("d"), arg("e"), arg("f"), arg("g"), arg("h"),
          tain::thread_safe());
}

}  // namespace

TAIN_REGISTER { RegisterSums(); }

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::ObjectDef<ScaledObj>().def_init<>().def(
      "times",
      tain::with_defaults(&ScaledObj::Times, [](const ScaledObj& self) { return self.Times(); }),
      arg("by").optional());
}

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def("testing.greet", Greet, arg("name", "whom to greet"), arg("greeting") = "hello",
           arg("punctuation") = "!", "A greeting.", tain::thread_safe())
      .def("testing.scale", Scale, arg("x"), arg("factor") = 2, (arg("negate") = false).kw_only(),
           "x times factor.", tain::thread_safe())
      .def("testing.sum_from", SumFrom, arg("start"), arg("rest"), tain::thread_safe())
      .def("testing.serial", Serial, arg("value").factory([] { return ++next_serial; }),
           "A new number for each call.")
      .def(
          "testing.serial_between", [](int64_t a, int64_t b, int64_t c) { return a + b + c; },
          arg("a"), arg("b").factory([] { return ++next_serial; }), arg("c") = 0)
      .def("testing.positional", Positional, tain::thread_safe())
      .def("testing.scaled", tain::with_defaults(Scaled, ScaledBy, ScaledOnce), arg("x"),
           arg("by").optional(), arg("times").optional(), tain::thread_safe())
      .def("testing.scaled_unnamed", tain::with_defaults(Scaled, ScaledBy), tain::thread_safe())
      .def("testing.scaled_by_spec", tain::with_defaults(Scaled, ScaledBy),
           tain::call_spec{kScaledParams, 3, "Scales.", kTainCallReleaseGil})
      .def(
          "testing.optional_text", [](tain::Optional<String> text) { return text; },
          arg("text") = nullptr, tain::thread_safe())
      .def(
          "testing.default_any", [](tain::Any value) { return value; }, arg("value") = 1.5,
          tain::thread_safe());
}

}  // namespace tain_testing
