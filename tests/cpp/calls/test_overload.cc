// SPDX-License-Identifier: Apache-2.0
// Overloads: registration, dispatch from C++, construction in place, and their mistakes.
#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"
#include "tain/container/array.h"
#include "tain/reflection/global_def.h"
#include "tain/virtual.h"

using tain::Any;
using tain::Array;
using tain::Function;
using tain::reflection::GlobalDef;
using tain::reflection::ObjectDef;
using tain_test::ErrorOf;
using tain_test::FaultsOf;

namespace {

struct SizeObj : tain::Object {
  int64_t value = 0;
  SizeObj() = default;
  explicit SizeObj(int64_t v) : value(v) {}
  explicit SizeObj(const std::string& text) : value(static_cast<int64_t>(text.size())) {}
  int64_t Plus(int64_t x) const { return value + x; }
  std::string Named(const std::string& x) const { return x + std::to_string(value); }
  TAIN_OBJECT("cpp_test.overload.Size", SizeObj, tain::Object);
};

struct WrongObj : tain::Object {
  int64_t value = 0;
  int64_t Get() const { return value; }
  TAIN_VIRTUAL(over)
  int64_t over_impl() const { return value; }
  TAIN_OBJECT("cpp_test.overload.Wrong", WrongObj, tain::Object);
};

Function Get(const char* name) { return Function::GetGlobalRequired(name); }

std::string OfInt(int64_t) { return "int"; }
std::string OfFloat(double) { return "float"; }

}  // namespace

TAIN_REGISTER {
  GlobalDef()
      .def("cpp_test.overload.of_size", [](const SizeObj& size) { return size.value; })
      .def("cpp_test.overload.of_size",
           [](const SizeObj& size, int64_t x) { return size.value * x; });
  ObjectDef<SizeObj>()
      .def("ready", Get("cpp_test.overload.of_size"))
      .def_init<>()
      .def_init<int64_t>(tain::arg("value"))
      .def_init<const std::string&>(tain::arg("text"))
      .def("get", tain::overload(&SizeObj::Plus, &SizeObj::Named));
  GlobalDef()
      .def("cpp_test.overload.f", OfFloat)
      .def("cpp_test.overload.f", OfInt)
      .def("cpp_test.overload.f", [](const Array<Any>& x) {
        return "of " + Get("cpp_test.overload.f")(x[0]).cast<std::string>();
      });
  GlobalDef()
      .def("cpp_test.overload.throws", [](int64_t x) { Get("cpp_test.overload.f")(x, x); })
      .def("cpp_test.overload.throws", [](const std::string&) {})
      .def(
          "cpp_test.overload.named",
          [](int64_t x, const std::string& unit) { return std::to_string(x) + " " + unit; },
          tain::arg("x"), tain::arg("unit"))
      .def(
          "cpp_test.overload.named",
          [](const std::string& text, const std::string& end) { return text + end; },
          tain::arg("text"), tain::arg("end") = "!")
      .def("cpp_test.overload.stored", OfInt)
      .def("cpp_test.overload.again", [](int64_t) { Get("cpp_test.overload.stored")("a"); })
      .def("cpp_test.overload.again", [](const std::string&) {});
}

TEST_CASE("the exact type comes before conversions") {
  const Function f = Get("cpp_test.overload.f");
  CHECK(f(1).cast<std::string>() == "int");
  CHECK(f(1.0).cast<std::string>() == "float");
  CHECK(f(true).cast<std::string>() == "float");
  CHECK(f(Array<Any>{1.5}).cast<std::string>() == "of float");
}

TEST_CASE("the error lists every candidate") {
  const Function f = Get("cpp_test.overload.f");
  CHECK(ErrorOf([&] { f("a"); }) ==
        "TypeError: cpp_test.overload.f: no overload takes (str)\n"
        "  f(arg0: float, /) -> str: argument arg0: expected float, got str ('a')\n"
        "  f(arg0: int, /) -> str: argument arg0: expected int, got str ('a')\n"
        "  f(arg0: Array[Any], /) -> str: argument arg0: expected Array[Any], got str ('a')");
  CHECK(ErrorOf([&] { f(); }).find("takes 1 argument but 0 were given") != std::string::npos);
}

TEST_CASE("keywords choose among the candidates") {
  const Function g = Get("cpp_test.overload.named");
  CHECK(g(1, tain::Kwargs{{"unit", "km"}}).cast<std::string>() == "1 km");
  CHECK(g(tain::Kwargs{{"unit", "m"}, {"x", 2}}).cast<std::string>() == "2 m");
  CHECK(g(tain::Kwargs{{"text", "a"}}).cast<std::string>() == "a!");
  CHECK(g(tain::Kwargs{{"text", "a"}, {"end", "?"}}).cast<std::string>() == "a?");
  CHECK(g("b").cast<std::string>() == "b!");
  CHECK(
      ErrorOf([&] { g(1, tain::Kwargs{{"unitt", 2}}); }) ==
      "TypeError: cpp_test.overload.named: no overload takes (int, unitt=int)\n"
      "  named(x: int, unit: str) -> str: got an unexpected keyword argument 'unitt'. Did you mean "
      "'unit'?\n"
      "  named(text: str, end: str = ...) -> str: got an unexpected keyword argument 'unitt'");
}

TEST_CASE("a refusal that is thrown again later is none") {
  CHECK(ErrorOf([] { Get("cpp_test.overload.again")(1); }) ==
        "TypeError: cpp_test.overload.stored: argument arg0: expected int, got str ('a')");
}

TEST_CASE("what the body throws is no refusal") {
  const std::string error = ErrorOf([] { Get("cpp_test.overload.throws")(1); });
  CHECK(error.find("TypeError: cpp_test.overload.f: no overload takes (int, int)") == 0);
}

TEST_CASE("methods and constructors, also in place") {
  const Function make = tain_test::ConstructorOf<SizeObj>();
  CHECK(make().cast<tain::Ref<SizeObj>>()->value == 0);
  CHECK(make(5).cast<tain::Ref<SizeObj>>()->value == 5);
  const auto size = make("four").cast<tain::Ref<SizeObj>>();
  CHECK(size->value == 4);
  const Function get = tain_test::MethodOf<SizeObj>("get");
  CHECK(get(size, 1).cast<int64_t>() == 5);
  CHECK(get(size, "n").cast<std::string>() == "n4");
  CHECK(ErrorOf([&] { get(size, 1.5); }).find("no overload takes (float)") != std::string::npos);

  const Function ready = tain_test::MethodOf<SizeObj>("ready");
  CHECK(ready(size).cast<int64_t>() == 4);
  CHECK(ready(size, 2).cast<int64_t>() == 8);

  const TainTypeRecord* record = TainGetTypeRecord(SizeObj::RuntimeTypeIndex());
  const bool in_place = record->def.construct != nullptr;
  REQUIRE(in_place);
  const TainFunctionInfo* info = TainFunctionGetInfo(record->constructor);
  CHECK(info->num_overloads == 3);
  alignas(SizeObj) unsigned char body[sizeof(SizeObj)];
  tain::AnyView argument("sixsix");
  REQUIRE(record->def.construct(body, info, &argument.data(), 1) == 0);
  CHECK(reinterpret_cast<SizeObj*>(body)->value == 6);
  record->def.destroy(body, record);
  argument = tain::AnyView(1.5);
  CHECK(record->def.construct(body, info, &argument.data(), 1) == -1);
  CHECK(tain_test::TakeError().find("no overload takes (float)") != std::string::npos);
}

TEST_CASE("mistakes are faults") {
  CHECK(FaultsOf([] {
          ObjectDef<WrongObj>()
              .def("get", &WrongObj::Get)
              .def("get", &WrongObj::Get)
              .def_static("get", [](int64_t x) { return x; })
              .def_virtual("over", &WrongObj::over_impl)
              .def("over", [](const WrongObj&, int64_t x) { return x; });
        }) ==
        "cpp_test.overload.Wrong.get: an overload with the same parameters is registered already: "
        "get() -> int\n"
        "cpp_test.overload.Wrong.get: a method and a static method cannot be overloads\n"
        "cpp_test.overload.Wrong.over: a virtual method cannot be overloaded");
  const std::string faults = FaultsOf([] {
    GlobalDef().def("cpp_test.overload.g", OfInt);
    GlobalDef().def("cpp_test.overload.g", OfFloat);  // another definition
  });
  CHECK(faults.find("global function cpp_test.overload.g is already registered") == 0);
  CHECK_FALSE(Function::GetGlobal("cpp_test.overload.g").has_value());
  CHECK(FaultsOf([] {
          GlobalDef().def("cpp_test.overload.h", OfInt).def("cpp_test.overload.h", OfInt);
        }) ==
        "cpp_test.overload.h: an overload with the same parameters is registered already: "
        "h(arg0: int, /) -> str");
}

TEST_CASE("the C function makes overloads of functions with a record") {
  TainObject* out = nullptr;
  const Function f = Get("cpp_test.overload.f");
  const Function bare = [] { return 1; };
  TainObject* header = tain::internal::RefAccess::Header(f);
  CHECK(TainFunctionOverload(header, tain::internal::RefAccess::Header(bare), &out) == -1);
  CHECK(tain_test::TakeError() == "TypeError: an overload must have a record of its parameters");
  CHECK(TainFunctionOverload(header, nullptr, &out) == -1);
  tain_test::TakeError();
  CHECK(out == nullptr);
}
