// SPDX-License-Identifier: Apache-2.0
// Args and Kwargs: variadic functions, called from C++.
#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"
#include "tain/reflection/global_def.h"

using tain::Any;
using tain::arg;
using tain::Args;
using tain::Function;
using tain::Kwargs;
using tain_test::ErrorOf;

namespace {

std::string Show(int64_t first, Args args, const Kwargs& kwargs) {
  std::string text = std::to_string(first) + " +" + std::to_string(args.size());
  for (const auto& [name, value] : kwargs.map()) {
    text += " " + std::string(name) + "=" + std::to_string(value.cast<int64_t>());
  }
  return text;
}

}  // namespace

TAIN_REGISTER {
  tain::reflection::GlobalDef()
      .def("cpp_test.arguments.show", Show, arg("first") = 5)
      .def(
          "cpp_test.arguments.named",
          [](int64_t a, int64_t b, int64_t c) { return 100 * a + 10 * b + c; }, arg("a"),
          arg("b") = 2, arg("c") = 3)
      .def("cpp_test.arguments.bare", [](int64_t a) { return a; });
}

TEST_CASE("positional arguments and keywords arrive") {
  const Function show = Function::GetGlobalRequired("cpp_test.arguments.show");
  CHECK(show().cast<std::string>() == "5 +0");
  CHECK(show(1, 2, 3).cast<std::string>() == "1 +2");
  CHECK(show(1, 2, Kwargs{{"b", 7}, {"a", 8}}).cast<std::string>() == "1 +1 b=7 a=8");
  CHECK(show(Kwargs{{"first", 3}, {"a", 8}}).cast<std::string>() == "3 +0 a=8");
  CHECK(show(1, Kwargs()).cast<std::string>() == "1 +0");
  const Function unregistered = Show;
  CHECK(unregistered(1, Kwargs{{"a", 2}}).cast<std::string>() == "1 +0 a=2");
}

TEST_CASE("keywords name the parameters of other functions") {
  const Function named = Function::GetGlobalRequired("cpp_test.arguments.named");
  CHECK(named(1, Kwargs{{"c", 9}}).cast<int64_t>() == 129);
  CHECK(named(Kwargs{{"c", 9}, {"a", 4}}).cast<int64_t>() == 429);
  CHECK(ErrorOf([&] { named(Kwargs{{"c", 9}}); }) ==
        "TypeError: cpp_test.arguments.named() missing argument 'a'");
  CHECK(ErrorOf([&] { named(1, Kwargs{{"a", 9}}); }) ==
        "TypeError: cpp_test.arguments.named() got multiple values for argument 'a'");
  CHECK(ErrorOf([&] { named(1, Kwargs{{"zzzz", 9}}); }) ==
        "TypeError: cpp_test.arguments.named() got an unexpected keyword argument 'zzzz'");
  CHECK(ErrorOf([&] { named(1, Kwargs{{"bb", 9}}); }) ==
        "TypeError: cpp_test.arguments.named() got an unexpected keyword argument 'bb'. Did you "
        "mean 'b'?");
  CHECK(ErrorOf([&] { named(1, 2, 3, 4, Kwargs{{"c", 9}}); }) ==
        "TypeError: cpp_test.arguments.named() takes 1 to 3 arguments but 4 were given");
  const Function bare = Function::GetGlobalRequired("cpp_test.arguments.bare");
  CHECK(ErrorOf([&] { bare(Kwargs{{"arg0", 9}}); }) ==
        "TypeError: cpp_test.arguments.bare() takes no keyword arguments: its parameters have no "
        "names; the C++ author gives them with tain::arg(\"name\")");
  const Function unregistered = [](int64_t a) { return a; };
  CHECK(ErrorOf([&] { unregistered(Kwargs{{"a", 9}}); }) ==
        "TypeError: this function takes no keyword arguments");
}

TEST_CASE("keywords are read by name") {
  const Kwargs kwargs{{"a", 1}, {"b", nullptr}};
  CHECK(kwargs.size() == 2);
  CHECK(kwargs.contains("a"));
  CHECK_FALSE(kwargs.contains("c"));
  CHECK(kwargs["a"].cast<int>() == 1);
  CHECK(kwargs.get("b")->type_index() == kTainNone);
  CHECK_FALSE(kwargs.get("c").has_value());
  CHECK(ErrorOf([&] { kwargs["c"]; }) == "KeyError: c");
  CHECK(Kwargs().size() == 0);
  CHECK(Kwargs().map().empty());
  CHECK_FALSE(Kwargs().contains("a"));
}
