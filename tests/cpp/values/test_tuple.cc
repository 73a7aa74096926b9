// SPDX-License-Identifier: Apache-2.0
// Tuple: elements of their own types in an Array of fixed length.
#include "tain/container/tuple.h"

#include "helpers/value_helpers.h"
#include "tain/container/list.h"

using namespace tain;
using namespace tain_test;

TEST_CASE("a Tuple holds one value of each type") {
  const NothingLeft check;
  Tuple<int, String, double> t(1, "a text that is long", 2.5);
  CHECK(t.size() == 3);
  CHECK(t.get<0>() == 1);
  CHECK(get<1>(t) == "a text that is long");
  auto [number, text, ratio] = t;
  CHECK(number == 1);
  CHECK(text.size() == 19);
  CHECK(ratio == 2.5);
  CHECK(t.std() == std::tuple<int, String, double>(1, "a text that is long", 2.5));
  CHECK(Repr(t) == "[1, 'a text that is long', 2.5]");
  CHECK(Repr(Tuple<int, bool>()) == "[0, False]");
  CHECK(Repr(Tuple<>()) == "[]");
}

TEST_CASE("changing a Tuple that others see copies it first") {
  const NothingLeft check;
  Tuple<int, String> a(1, "a");
  Tuple<int, String> b = a;
  b.Set<0>(2);
  CHECK(a.get<0>() == 1);
  CHECK(b.get<0>() == 2);
  const Object* alone = static_cast<const ObjectRef&>(b).get();
  b.Set<1>("c");
  CHECK(static_cast<const ObjectRef&>(b).get() == alone);
}

TEST_CASE("sequences of the right length and elements convert") {
  const NothingLeft check;
  const Any array = Array<Any>{1, 2};
  CHECK(Repr(array.cast<Tuple<int, double>>()) == "[1, 2.0]");
  CHECK(array.cast<Tuple<int, int>>().same_as(array.cast<ObjectRef>()));
  CHECK(Repr(Any(List<int>{1, 2}).cast<Tuple<int, int>>()) == "[1, 2]");
  CHECK(Repr(Any(Tuple<int, int>(1, 2)).cast<Array<double>>()) == "[1.0, 2.0]");
  using Pair = Tuple<int, String>;
  CHECK(TypeTraits<Pair>::TypeStr() == "tuple[int, str]");
  CHECK(CastError<Pair>(array, "f: p") == "TypeError: f: p[1]: expected str, got int (2)");
  CHECK(CastError<Pair>(Array<int>{1}, "f: p") ==
        "TypeError: f: p: expected tuple[int, str] of 2 elements, got 1");
  CHECK(CastError<Pair>("x") == "TypeError: expected tuple[int, str], got str ('x')");
}

TEST_CASE("a copy of a Tuple of one element is a copy, whatever the element takes") {
  const NothingLeft check;
  Tuple<Any> one(Any(5));
  Tuple<Any> copy(one);
  CHECK(Repr(copy) == "[5]");
  CHECK(copy.same_as(one));
  Tuple<Any> moved(std::move(copy));
  CHECK(Repr(moved) == "[5]");
}
