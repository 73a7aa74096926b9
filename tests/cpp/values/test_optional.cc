// SPDX-License-Identifier: Apache-2.0
// Optional: sizes, the interface of std::optional, None.
#include "tain/container/optional.h"

#include "helpers/value_helpers.h"
#include "tain/container/array.h"
#include "tain/container/map.h"

using namespace tain;
using namespace tain_test;

static_assert(sizeof(Optional<Point>) == 8 && sizeof(Optional<Array<int>>) == 8);
static_assert(sizeof(Optional<ObjectPtr<PointObj>>) == 8);
static_assert(sizeof(Optional<String>) == 16 && sizeof(Optional<Any>) == 16);
static_assert(TypeTraits<Optional<Point>>::kFieldKind == kTainFieldObject);
static_assert(TypeTraits<Optional<Point>>::kDirectWrite);
static_assert(!TypeTraits<Optional<Array<int>>>::kDirectWrite);
static_assert(TypeTraits<Optional<int>>::kFieldKind == kTainFieldOpaque);
static_assert(std::is_same_v<TypeTraits<Optional<Point>>::Container, PointObj>);

TEST_CASE_TEMPLATE("an Optional is empty until it has a value", T, int, double, bool, String, Any,
                   Array<int>, Point) {
  Optional<T> nothing;
  CHECK(!nothing.has_value());
  CHECK(!nothing);
  CHECK(nothing == nullptr);
  CHECK(nothing == std::nullopt);
  CHECK(Any(nothing) == nullptr);
  CHECK(ThrownBy([&] { nothing.value(); }) ==
        "ValueError: expected " + TypeTraits<T>::TypeStr() + ", got None");
}

TEST_CASE("values go in and out") {
  const NothingLeft check;
  Optional<int> number = 3;
  CHECK(number == 3);
  CHECK(*number == 3);
  *number = 4;
  CHECK(number.value() == 4);
  CHECK(number.value_or(9) == 4);
  number = std::nullopt;
  CHECK(number.value_or(9) == 9);
  Optional<String> text = "a text that is long";
  CHECK(text == "a text that is long");
  CHECK(text->size() == 19);
  text = nullptr;
  CHECK(text == nullptr);
  text.emplace("b");
  CHECK(*text == "b");
  Optional<Array<int>> array = Array<int>{1};
  array->push_back(2);
  CHECK(array->size() == 2);
  Optional<Array<int>> copy = array;
  CHECK(copy == array);
  array.reset();
  CHECK(copy.has_value());
  Optional<Point> point = MakePoint(2);
  CHECK((*point)->x == 2);
  CHECK(point != nullptr);
  Optional<ObjectRef> base = point;
  CHECK(base->same_as(*point));
}

TEST_CASE("None and values cross") {
  const NothingLeft check;
  CHECK(Any(Optional<int>(5)).cast<int>() == 5);
  CHECK(Any(5).cast<Optional<double>>() == 5.0);
  CHECK(Any(nullptr).cast<Optional<Point>>() == nullptr);
  CHECK(Any(MakePoint(1)).cast<Optional<Point>>().has_value());
  CHECK(Any(Optional<String>()).as<Optional<String>>().has_value());
  CHECK(CastError<Optional<int>>("x") == "TypeError: expected int | None, got str ('x')");
  CHECK(CastError<Optional<int8_t>>(1000) == "OverflowError: expected int in -128..127, got 1000");
  CHECK(CastError<Optional<Array<int>>>(Array<Any>{"x"}, "f: a") ==
        "TypeError: f: a[0]: expected int, got str ('x')");
  CHECK(CastError<Optional<Array<int>>>(1) == "TypeError: expected Array[int] | None, got int (1)");
  CHECK(TypeTraits<Optional<ObjectPtr<PointObj>>>::TypeStr() == "test_values.Point | None");
  CHECK(TypeTraits<Map<String, Optional<int>>>::TypeStr() == "Map[str, int | None]");
}
