// SPDX-License-Identifier: Apache-2.0
// Function and TypedFunction: calls, results, errors, defaults, the registry of names.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "helpers/error_of.h"
#include "tain/reflection/global_def.h"

using tain::Any;
using tain::AnyView;
using tain::arg;
using tain::Args;
using tain::Function;
using tain::TypedFunction;
using tain_test::ErrorOf;

namespace {

/// A function that is registered once under a name of the tests.
Function Defined(const char* name) { return Function::GetGlobalRequired(name); }

int64_t factory_calls = 0;

}  // namespace

TAIN_REGISTER {
  tain::reflection::GlobalDef()
      .def(
          "cpp_test.function.add", [](int64_t a, int64_t b) { return a + b; }, arg("a"),
          arg("b") = 10)
      .def("cpp_test.function.bare", [](int64_t a, double b) { return a + b; })
      .def(
          "cpp_test.function.made", [](std::string text) { return text; },
          arg("text").factory([] { return "made " + std::to_string(++factory_calls); }))
      .def(
          "cpp_test.function.made_object",
          [](tain::ObjectRef function) { return function.use_count(); },
          arg("function").factory([] { return Function([] {}); }))
      .def(
          "cpp_test.function.keyword", [](int64_t a, int64_t b) { return a - b; }, arg("a"),
          (arg("b") = 1).kw_only())
      .def_packed("cpp_test.function.packed",
                  [](Args args, Any* result) { *result = static_cast<int64_t>(args.size()); });
}

TEST_CASE("results of every kind come back") {
  CHECK(Function([] { return 1; })().cast<int>() == 1);
  CHECK(Function([] { return 1.5; })().cast<double>() == 1.5);
  CHECK(Function([] { return true; })().cast<bool>());
  CHECK(Function([] { return "text"; })().cast<std::string>() == "text");
  CHECK(Function([] {})() == nullptr);
  CHECK(Function([] { return nullptr; })() == nullptr);
  CHECK(Function([] { return Any(3); })().cast<int>() == 3);
}

TEST_CASE("numbers convert as parameters allow, and no further") {
  const Function real = [](double x) { return x; };
  CHECK(real(2).cast<double>() == 2.0);
  CHECK(real(true).cast<double>() == 1.0);
  CHECK(ErrorOf([&] { real("2"); }) == "TypeError: argument 0: expected float, got str ('2')");
  const Function small = [](int8_t x) { return x; };
  CHECK(ErrorOf([&] { small(128); }) ==
        "OverflowError: argument 0: expected int in -128..127, got 128");
  CHECK(ErrorOf([&] { small(1.0); }) == "TypeError: argument 0: expected int, got float (1.0)");
  const Function flag = [](bool x) { return x; };
  CHECK(ErrorOf([&] { flag(1); }) == "TypeError: argument 0: expected bool, got int (1)");
}

TEST_CASE("the number of arguments must fit") {
  const Function two = [](int64_t a, int64_t b) { return a + b; };
  CHECK(ErrorOf([&] { two(1); }) == "TypeError: this function takes 2 arguments but 1 was given");
  CHECK(ErrorOf([&] { two(1, 2, 3); }) ==
        "TypeError: this function takes 2 arguments but 3 were given");
}

TEST_CASE("errors name the function and the argument") {
  const Function add = Defined("cpp_test.function.add");
  CHECK(ErrorOf([&] { add("a", 1); }) ==
        "TypeError: cpp_test.function.add: argument a: expected int, got str ('a')");
  CHECK(ErrorOf([&] { add(); }) == "TypeError: cpp_test.function.add() missing argument 'a'");
  CHECK(ErrorOf([&] { add(1, 2, 3); }) ==
        "TypeError: cpp_test.function.add() takes 1 to 2 arguments but 3 were given");
  const Function bare = Defined("cpp_test.function.bare");
  CHECK(ErrorOf([&] { bare(1, "b"); }) ==
        "TypeError: cpp_test.function.bare: argument arg1: expected float, got str ('b')");
  CHECK(ErrorOf([&] { bare(1); }) ==
        "TypeError: cpp_test.function.bare() takes 2 arguments but 1 was given");
}

TEST_CASE("missing arguments take their defaults") {
  CHECK(Defined("cpp_test.function.add")(1).cast<int64_t>() == 11);
  CHECK(Defined("cpp_test.function.keyword")(5).cast<int64_t>() == 4);
  const Function made = Defined("cpp_test.function.made");
  const std::string first = made().cast<std::string>();
  CHECK(made().cast<std::string>() != first);
  CHECK(made("given").cast<std::string>() == "given");
}

TEST_CASE("an object made by a default's factory dies with the call") {
  const Function f = Defined("cpp_test.function.made_object");
  CHECK(f().cast<int64_t>() == 2);  // the argument's buffer and the parameter
  CHECK(f(Function([] {})).cast<int64_t>() == 2);
}

TEST_CASE("the info of a function holds what its author said") {
  const Function add = Defined("cpp_test.function.add");
  const TainFunctionInfo* info = TainFunctionGetInfo(tain::internal::RefAccess::Header(add));
  REQUIRE(info != nullptr);
  CHECK(std::string(info->name.data, info->name.size) == "cpp_test.function.add");
  CHECK(std::string(info->return_type.data, info->return_type.size) == "int");
  REQUIRE(info->num_args == 2);
  CHECK(std::string(info->args[1].name.data, info->args[1].name.size) == "b");
  CHECK(info->args[0].flags == kTainArgNamed);
  CHECK(info->args[1].flags == (kTainArgNamed | kTainArgHasDefault));
  CHECK(info->args[1].default_value.v_int64 == 10);
  const Function bare = Defined("cpp_test.function.bare");
  info = TainFunctionGetInfo(tain::internal::RefAccess::Header(bare));
  CHECK(std::string(info->args[0].name.data, info->args[0].name.size) == "arg0");
  CHECK(info->args[0].flags == 0);
  const Function packed = Defined("cpp_test.function.packed");
  info = TainFunctionGetInfo(tain::internal::RefAccess::Header(packed));
  CHECK(info->flags == kTainCallPacked);
}

TEST_CASE("what a callee throws arrives at the caller") {
  CHECK(ErrorOf([] { Function([] { throw std::out_of_range("too far"); })(); }).find("too far") !=
        std::string::npos);
  CHECK(ErrorOf([] { Function([] { TAIN_THROW(KeyError) << "gone"; })(); }) == "KeyError: gone");
  CHECK(ErrorOf([] { Function([] { throw 42; })(); }) != "");
}

TEST_CASE("a null function throws when it is called") {
  const Function null;
  CHECK(!null.defined());
  CHECK(ErrorOf([&] { null(); }) != "");
}

TEST_CASE("a function that is taken by a function can be called there") {
  const Function twice = [](const Function& f, int64_t x) { return f(f(x)); };
  CHECK(twice(Function([](int64_t x) { return x * 3; }), 2).cast<int64_t>() == 18);
}

TEST_CASE("packed functions take anything") {
  const Function count = Function::FromPacked(
      [](Args args, Any* result) { *result = static_cast<int64_t>(args.size()); });
  CHECK(count().cast<int64_t>() == 0);
  CHECK(count(1, "a", nullptr).cast<int64_t>() == 3);
  const Function last =
      Function::FromPacked([](Args args) -> Any { return args[args.size() - 1]; });
  CHECK(last(1, 2).cast<int64_t>() == 2);
}

TEST_CASE("a typed function converts both ways") {
  TypedFunction<double(int64_t)> half = [](int64_t x) { return static_cast<double>(x) / 2; };
  CHECK(half(3) == 1.5);
  TypedFunction<int64_t(int64_t)> wrong = Function([](int64_t) { return "text"; });
  CHECK(ErrorOf([&] { wrong(1); }) ==
        "TypeError: result of the callback: expected int, got str ('text')");
  TypedFunction<void()> nothing;
  CHECK(nothing == nullptr);
  nothing = [] {};
  nothing();
  CHECK(tain::TypeTraits<TypedFunction<double(int64_t)>>::TypeStr() ==
        "Callable[[int], float] | None");
}

TEST_CASE("global functions are found by name") {
  CHECK(Function::GetGlobal("cpp_test.function.add").has_value());
  CHECK(!Function::GetGlobal("cpp_test.function.none").has_value());
  CHECK(ErrorOf([] { Function::GetGlobalRequired("cpp_test.function.none"); }) ==
        "ValueError: Cannot find global function cpp_test.function.none");
  Function::SetGlobal("cpp_test.function.set", [] { return 1; });
  CHECK(Defined("cpp_test.function.set")().cast<int>() == 1);
  CHECK(ErrorOf([] { Function::SetGlobal("cpp_test.function.set", [] { return 2; }); }) != "");
  Function::SetGlobal("cpp_test.function.set", [] { return 2; }, true);
  CHECK(Defined("cpp_test.function.set")().cast<int>() == 2);
}

TEST_CASE("text with a NUL is passed whole") {
  const tain::Function size = [](const std::string& text) {
    return static_cast<int64_t>(text.size());
  };
  const std::string text("a\0b", 3);
  CHECK(size(text).cast<int64_t>() == 3);
  CHECK(size(std::string_view(text)).cast<int64_t>() == 3);
  CHECK(tain::Any(text).cast<std::string>() == text);
}

TEST_CASE("characters become a text of the host's where the caller offers that") {
  static std::string taken;
  const TainTakeText take = [](const char* data, size_t size) -> void* {
    taken.assign(data, size);
    return &taken;
  };
  const auto call = [&](const Function& function) {
    TainAny slot{};
    slot.zero_padding = kTainTextOffer;
    slot.v_ptr = reinterpret_cast<void*>(take);
    auto* header = reinterpret_cast<TainObject*>(tain::internal::RefAccess::Header(function));
    auto* cell = reinterpret_cast<TainFunctionCell*>(header + 1);
    CHECK(cell->safe_call(header, nullptr, 0, &slot) == 0);
    return slot;
  };
  taken.clear();
  TainAny slot = call(Function([] { return std::string("a string of the callee"); }));
  CHECK(slot.type_index == kTainTakenText);
  CHECK(slot.zero_padding == 0);
  CHECK(slot.v_ptr == &taken);
  CHECK(taken == "a string of the callee");
  CHECK(call(Function([] { return "C"; })).type_index == kTainTakenText);
  CHECK(taken == "C");
  CHECK(call(Function([]() -> std::string_view { return "view"; })).type_index == kTainTakenText);
  CHECK(taken == "view");

  slot = call(Function([]() -> const char* { return nullptr; }));
  CHECK(slot.type_index == kTainNone);
  CHECK(slot.zero_padding == 0);
  slot = call(Function([] { return int64_t{5}; }));
  CHECK(slot.type_index == kTainInt);
  CHECK(slot.zero_padding == 0);
  slot = call(Function([] { return tain::String("a String is there already"); }));
  CHECK(slot.type_index == kTainStr);
  CHECK(Any::Steal(slot).cast<std::string>() == "a String is there already");
  slot = call(Function([] {}));
  CHECK(slot.type_index == kTainNone);  // and the offer is still there: the caller takes it back
  CHECK(slot.zero_padding == kTainTextOffer);
}
