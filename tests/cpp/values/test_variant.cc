// SPDX-License-Identifier: Apache-2.0
// Variant: one of several types, told apart by the value.
#include "tain/container/variant.h"

#include "helpers/value_helpers.h"
#include "tain/container/array.h"
#include "tain/container/optional.h"

using namespace tain;
using namespace tain_test;

using Value = Variant<int, String, Array<int>>;

namespace {

struct Describe {
  std::string operator()(int v) const { return "int " + std::to_string(v); }
  std::string operator()(const String& v) const { return "text " + std::string(v); }
  std::string operator()(const Array<int>& v) const { return "array " + std::to_string(v.size()); }
};

}  // namespace

TEST_CASE("a Variant knows what it holds") {
  const NothingLeft check;
  Value v;
  CHECK(v.get<int>() == 0);
  v = "a text that is long";
  CHECK(v.is<String>());
  CHECK(v.as<int>() == std::nullopt);
  CHECK(v.get<String>() == "a text that is long");
  CHECK(ThrownBy([&] { v.get<int>(); }) ==
        "TypeError: expected int, got str ('a text that is long')");
  CHECK(v.visit(Describe()) == "text a text that is long");
  v = Array<int>{1, 2};
  CHECK(v.visit(Describe()) == "array 2");
  CHECK(Value(5).visit(Describe()) == "int 5");
  CHECK(Value(5) == Value(5));
  CHECK(!(Value(5) == Value("5")));
}

TEST_CASE("the alternative that fits exactly wins over conversions") {
  const NothingLeft check;
  using Number = Variant<double, int>;
  CHECK(Any(Number(1)).type_index() == kTainInt);
  CHECK(Any(1).cast<Number>().is<int>());
  CHECK(Any(1.5).cast<Number>().is<double>());
  CHECK(Repr(Any(Array<Any>{true}).cast<Value>().get<Array<int>>()) == "[1]");
}

TEST_CASE("what is none of the alternatives is refused") {
  const NothingLeft check;
  CHECK(TypeTraits<Value>::TypeStr() == "int | str | Array[int]");
  CHECK(CastError<Value>(1.5, "f: v") ==
        "TypeError: f: v: expected int | str | Array[int], got float (1.5)");
  CHECK(Any(nullptr).cast<Optional<Value>>() == nullptr);
}
