// SPDX-License-Identifier: Apache-2.0
// Packed functions: arguments and results that convert implicitly, registration by name.
#include "tain/packed_func.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "helpers/registration.h"
#include "tain/container/array.h"

using tain::Any;
using tain::Args;
using tain::ArgValue;
using tain::Function;
using tain::Kwargs;
using tain::PackedArgs;
using tain::PackedFunc;
using tain::Registry;
using tain::RetValue;
using tain::String;
using tain::TypedPackedFunc;
using tain_test::ErrorOf;
using tain_test::FaultsOf;

namespace {

void Subtract(PackedArgs args, RetValue* rv) {
  int a = args[0];
  int b = args[1];
  *rv = a - b;
}

std::string Repeat(const std::string& text, int64_t times) {
  std::string all;
  for (int64_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TAIN_REGISTER_GLOBAL("cpp_test.packed.subtract").set_body(Subtract);
TAIN_REGISTER_GLOBAL("cpp_test.packed.call").set_body([](const PackedArgs& args, RetValue* rv) {
  PackedFunc f = args[0];
  *rv = f(args[1]);
});
TAIN_REGISTER_GLOBAL("cpp_test.packed.repeat")
    .set_body_typed(Repeat, tain::arg("text"), tain::arg("times") = 2);
TAIN_REGISTER_GLOBAL("cpp_test.packed.dtype").set_body_typed([](std::string name, DLDataType type) {
  return name + std::to_string(type.bits);
});
TAIN_REGISTER_GLOBAL("cpp_test.packed.ready").set_body(Function([](int64_t x) { return x; }));

TEST_CASE("arguments and results convert implicitly") {
  const PackedFunc f = Subtract;
  int sum = f(7, 2);
  CHECK(sum == 5);
  double number = f(7, 2);
  CHECK(number == 5.0);
  RetValue result = f(7, 2);
  CHECK(int64_t(result) == 5);
  CHECK(result.cast<int>() == 5);
  Any any = f(7, 2);
  CHECK(any.cast<int>() == 5);
  CHECK(ErrorOf([&] { (void)std::string(f(7, 2).operator std::string()); }) ==
        "TypeError: result of the function: expected str, got int (5)");
}

TEST_CASE("each kind of argument") {
  const PackedFunc kinds = [](PackedArgs args, RetValue* rv) {
    CHECK(args.size() == 6);
    CHECK(args.num_args == 6);
    std::string text = args[0];
    String counted = args[0];
    bool flag = args[1];
    double number = args[2];
    tain::Array<int64_t> numbers = args[3];
    TypedPackedFunc<int64_t(int64_t)> twice = args[4];
    DLDataType type = args[5];
    CHECK(counted == text);
    CHECK(args[0].cast<std::string>() == text);
    CHECK(args[1].operator bool());
    CHECK_FALSE(args[4] == nullptr);
    if (flag) *rv = text + std::to_string(number) + std::to_string(twice(numbers[0]) + type.bits);
  };
  const DLDataType f32{kDLFloat, 32, 1};
  const Function twice = [](int64_t x) { return 2 * x; };
  std::string text = kinds("x", true, 1, tain::Array<int64_t>{4}, twice, f32);
  CHECK(text == "x1.00000040");
}

TEST_CASE("a result is anything that crosses, or nothing") {
  CHECK(PackedFunc([](PackedArgs, RetValue*) {})() == nullptr);
  CHECK(PackedFunc([](PackedArgs, RetValue* rv) { *rv = nullptr; })() == nullptr);
  const PackedFunc first = [](PackedArgs args, RetValue* rv) { *rv = args[0]; };
  CHECK(first("a long text that is an object").cast<std::string>() ==
        "a long text that is an object");
  const tain::Array<int64_t> array = {1};
  tain::Array<int64_t> same = first(array);
  CHECK(same.same_as(array));
  RetValue copied;
  copied = first(1);
  const RetValue& itself = copied;
  copied = itself;
  CHECK(int(copied) == 1);
}

TEST_CASE("a PackedFunc is a Function") {
  const Function function = PackedFunc(Subtract);
  CHECK(function(7, 2).cast<int>() == 5);
  const PackedFunc back = function;
  CHECK(back.same_as(function));
  CHECK(function.type_index() == kTainFunction);
  const Any any = back;
  CHECK(any.cast<PackedFunc>().same_as(function));
  const TypedPackedFunc<int(int, int)> typed = back;
  CHECK(typed(7, 2) == 5);
  CHECK(PackedFunc(typed.packed()).same_as(function));
  RetValue result;
  const tain::AnyView views[] = {9, 1};
  back.CallPacked(Args(reinterpret_cast<const TainAny*>(views), 2), &result);
  CHECK(int(result) == 8);
  CHECK(tain::TypeTraits<PackedFunc>::TypeStr() == "Callable[..., Any] | None");
  CHECK(ErrorOf([] { PackedFunc()(1); }).substr(0, 11) == "ValueError:");
}

TEST_CASE("a body is moved in, kept and destroyed") {
  auto counted = std::make_shared<int>(3);
  {
    const PackedFunc f = [counted](PackedArgs, RetValue* rv) { *rv = *counted; };
    CHECK(counted.use_count() == 2);
    CHECK(int(f()) == 3);
  }
  CHECK(counted.use_count() == 1);
}

TEST_CASE("registered functions are found") {
  const PackedFunc* subtract = Registry::Get("cpp_test.packed.subtract");
  REQUIRE(subtract != nullptr);
  int difference = (*subtract)(7, 2);
  CHECK(difference == 5);
  CHECK(Registry::Get("cpp_test.packed.subtract") == subtract);
  CHECK(Registry::Get("cpp_test.packed.missing") == nullptr);
  std::string text = (*Registry::Get("cpp_test.packed.repeat"))("ab", Kwargs{{"times", 3}});
  CHECK(text == "ababab");
  CHECK((*Registry::Get("cpp_test.packed.repeat"))("ab").cast<std::string>() == "abab");
  CHECK((*Registry::Get("cpp_test.packed.dtype"))("float", "float16").cast<std::string>() ==
        "float16");
  CHECK((*Registry::Get("cpp_test.packed.ready"))(4).cast<int>() == 4);
  const Function add_one = [](int64_t x) { return x + 1; };
  CHECK((*Registry::Get("cpp_test.packed.call"))(add_one, 4).cast<int>() == 5);
}

TEST_CASE("a function that was found outlives its name") {
  Function::SetGlobal("cpp_test.packed.short", PackedFunc(Subtract));
  const PackedFunc* found = Registry::Get("cpp_test.packed.short");
  const std::string name = "cpp_test.packed.short";
  const TainByteArray text{name.data(), name.size()};
  int removed = 0;
  REQUIRE(TainFunctionRemoveGlobal(&text, &removed) == 0);
  CHECK(removed == 1);
  CHECK(Registry::Get("cpp_test.packed.short") == nullptr);
  CHECK((*found)(7, 2).cast<int>() == 5);
}

TEST_CASE("arguments that do not fit name the function and the place") {
  const PackedFunc& f = *Registry::Get("cpp_test.packed.subtract");
  CHECK(ErrorOf([&] { f(1, "x"); }) ==
        "TypeError: cpp_test.packed.subtract: argument 1: expected int, got str ('x')");
  CHECK(ErrorOf([&] { f(1); }) ==
        "TypeError: cpp_test.packed.subtract() missing argument 1: got 1 argument");
  CHECK(ErrorOf([&] { f(int64_t{1} << 40, 1); }) ==
        "OverflowError: cpp_test.packed.subtract: argument 0: expected int in "
        "-2147483648..2147483647, got 1099511627776");
  CHECK(ErrorOf([&] { f(1, 2, Kwargs{{"a", 1}}); }) ==
        "TypeError: cpp_test.packed.subtract() takes no keyword arguments");
  const PackedFunc unregistered = Subtract;
  CHECK(ErrorOf([&] { unregistered("x"); }) ==
        "TypeError: argument 0: expected int, got str ('x')");
  CHECK(ErrorOf([&] { unregistered(); }) == "TypeError: missing argument 0: got 0 arguments");
  CHECK(ErrorOf([&] { unregistered(1, 2, Kwargs{{"a", 1}}); }) ==
        "TypeError: this function takes no keyword arguments");
}

TEST_CASE("a name that is taken is a fault") {
  const std::string fault =
      FaultsOf([] { Registry::Register("cpp_test.packed.subtract").set_body(Subtract); });
  CHECK(fault.starts_with("global function cpp_test.packed.subtract is already registered by "));
  CHECK(fault.ends_with(": choose another name, or pass override=True to replace it"));
  CHECK(FaultsOf([] { Registry::Register("cpp_test.packed.null").set_body(nullptr); }) ==
        "cpp_test.packed.null: Check failed: (function.defined()) is false: the function is null");
}
