// SPDX-License-Identifier: Apache-2.0
// with_defaults and optional parameters: calls with fewer arguments reach shorter forms.
#include "tain/reflection/with_defaults.h"

#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"

using namespace tain_test;
using tain::arg;
using tain::Function;
using tain::with_defaults;
using tain::reflection::GlobalDef;
using tain::reflection::ObjectDef;

namespace {

std::string ShowThree(int64_t a, int64_t b = 20, int64_t c = 30) {
  return std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c);
}
std::string ShowTwo(int64_t a, int64_t b) { return ShowThree(a, b); }
std::string ShowOne(int64_t a) { return ShowThree(a); }

struct ScaledObj : tain::Object {
  int64_t value = 7;
  int64_t Scale(int64_t by = 2) const { return value * by; }
  TAIN_OBJECT("cpp_test.with_defaults.Scaled", ScaledObj, tain::Object);
};

constexpr tain::arg_spec kParams[] = {{"a", "the first"}, {"b"}, {"c", "", kTainArgOptional}};

}  // namespace

TAIN_REGISTER {
  GlobalDef()
      .def("cpp_test.with_defaults.show", with_defaults(ShowThree, ShowTwo, ShowOne), arg("a"),
           arg("b").optional(), arg("c").optional())
      .def("cpp_test.with_defaults.by_spec", with_defaults(ShowThree, ShowTwo),
           tain::call_spec{kParams, 3, "Shows.", kTainCallReleaseGil});
  ObjectDef<ScaledObj>().def(
      "scale", with_defaults(&ScaledObj::Scale, [](const ScaledObj& s) { return s.Scale(); }),
      arg("by").optional());
}

TEST_CASE("the number of arguments chooses the form") {
  const Function show = Function::GetGlobalRequired("cpp_test.with_defaults.show");
  CHECK(show(1).cast<std::string>() == "1 20 30");
  CHECK(show(1, 2).cast<std::string>() == "1 2 30");
  CHECK(show(1, 2, 3).cast<std::string>() == "1 2 3");
  CHECK(ErrorOf([&] { show("one"); }) ==
        "TypeError: cpp_test.with_defaults.show: argument a: expected int, got str ('one')");
}

TEST_CASE("a Function of its own has the forms too") {
  const Function show = with_defaults(ShowThree, ShowTwo, ShowOne);
  CHECK(show(1).cast<std::string>() == "1 20 30");
  CHECK(show(1, 2, 3).cast<std::string>() == "1 2 3");
}

TEST_CASE("methods have shorter forms") {
  const tain::ObjectPtr<ScaledObj> object = tain::make_object<ScaledObj>();
  const Function scale = MethodOf<ScaledObj>("scale");
  CHECK(scale(object).cast<int64_t>() == 14);
  CHECK(scale(object, 3).cast<int64_t>() == 21);
}

TEST_CASE("a finished spec says what arg, doc and flags would say") {
  const Function show = Function::GetGlobalRequired("cpp_test.with_defaults.by_spec");
  const TainFunctionInfo* info = TainFunctionGetInfo(tain::internal::RefAccess::Header(show));
  CHECK(Str(info->doc) == "Shows.");
  CHECK((info->flags & kTainCallReleaseGil) != 0);
  REQUIRE(info->num_args == 3);
  CHECK(Str(info->args[0].doc) == "the first");
  CHECK(info->args[1].flags == kTainArgNamed);
  CHECK(info->args[2].flags == (kTainArgNamed | kTainArgOptional));
  CHECK(show(1, 2).cast<std::string>() == "1 2 30");
}

TEST_CASE("mistakes with optional parameters are faults") {
  CHECK(
      FaultsOf([] { GlobalDef().def("cpp_test.with_defaults.a", ShowOne, arg("a").optional()); }) ==
      "cpp_test.with_defaults.a: argument a: is optional, but no form of the function can be "
      "called without it: give them to tain::with_defaults");
  CHECK(FaultsOf([] {
          GlobalDef().def("cpp_test.with_defaults.b", with_defaults(ShowTwo, ShowOne), arg("a"),
                          (arg("b") = 2).optional());
        }) ==
        "cpp_test.with_defaults.b: argument b: has a default, so it is not one that only the "
        "function knows");
  CHECK(FaultsOf([] {
          GlobalDef().def("cpp_test.with_defaults.c", with_defaults(ShowThree, ShowTwo, ShowOne),
                          arg("a"), arg("b").optional(), arg("c") = 3);
        }) ==
        "cpp_test.with_defaults.c: argument c: has a default, but the one of a parameter before it "
        "is known to the function alone");
}
