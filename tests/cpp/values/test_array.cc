// SPDX-License-Identifier: Apache-2.0
// Array: values, copy on write, element access, iterators, conversion of elements.
#include "tain/container/array.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include "helpers/value_helpers.h"
#include "tain/container/list.h"
#include "tain/container/map.h"
#include "tain/container/shape.h"

using namespace tain;
using namespace tain_test;

TEST_CASE("a default Array is empty and never null") {
  const NothingLeft check;
  Array<int> a;
  CHECK(a.defined());
  CHECK(a.empty());
  CHECK(a.size() == 0);
  CHECK(a.begin() == a.end());
  CHECK(Repr(a) == "[]");
  CHECK(sizeof(a) == 8);
}

TEST_CASE("an Array is made of lists, ranges, iterators and repeated values") {
  const NothingLeft check;
  CHECK(Repr(Array<int>{1, 2, 3}) == "[1, 2, 3]");
  CHECK(Repr(Array<Any>{1, "two", 3.0, nullptr, true}) == "[1, 'two', 3.0, None, True]");
  const std::vector<double> numbers = {0.5, 1e16};
  CHECK(Repr(Array<double>(numbers)) == "[0.5, 1e+16]");
  const std::deque<int> queue = {4, 5};
  CHECK(Repr(Array<int>(queue)) == "[4, 5]");
  CHECK(Repr(Array<int>(queue.begin(), queue.end())) == "[4, 5]");
  CHECK(Repr(Array<String>(3, String("ab"))) == "['ab', 'ab', 'ab']");
  CHECK(Repr(Array<Array<int>>{{1}, {}}) == "[[1], []]");
  CHECK(ThrownBy([] { Array<int>(int64_t{-1}, 0); }) ==
        "ValueError: size: expected int >= 0, got -1");
}

TEST_CASE("changing an Array that others see copies it first") {
  const NothingLeft check;
  Array<int> a = {1, 2, 3};
  Array<int> b = a;
  CHECK(a.same_as(b));
  b.push_back(4);
  CHECK(!a.same_as(b));
  CHECK(Repr(a) == "[1, 2, 3]");
  CHECK(Repr(b) == "[1, 2, 3, 4]");
  const Object* alone = b.get();
  for (int i = 0; i < 100; ++i) b.push_back(i);
  CHECK(b.get() == alone);
  CHECK(b.size() == 104);
  b.clear();
  CHECK(b.empty());
  b.push_back(1);
  CHECK(Repr(b) == "[1]");
}

TEST_CASE("an Array with a live wrapper is copied, too") {
  const NothingLeft check;
  Array<int> a = {1};
  TainObjectPrefix* prefix = TainObjectPrefixOf(internal::RefAccess::Header(a));
  prefix->tie = 64;  // as if a wrapper held the one reference
  const Object* before = a.get();
  CHECK(!a.unique());
  Array<int> b = std::move(a);
  b.Set(0, 7);
  CHECK(b.get() != before);
}

TEST_CASE("elements are read and written within bounds") {
  const NothingLeft check;
  Array<int> a = {1, 2, 3};
  CHECK(a[0] == 1);
  CHECK(a.at(2) == 3);
  CHECK(a.front() == 1);
  CHECK(a.back() == 3);
  a.Set(1, 20);
  CHECK(a[1] == 20);
  CHECK(ThrownBy([&] { a[3]; }) == "IndexError: Array index 3 out of range for size 3");
  CHECK(ThrownBy([&] { a[-1]; }) == "IndexError: Array index -1 out of range for size 3");
  CHECK(ThrownBy([&] { a.Set(3, 1); }) == "IndexError: Array index 3 out of range for size 3");
  CHECK(ThrownBy([] { Array<int>().front(); }) ==
        "IndexError: Array index 0 out of range for size 0");
  CHECK(ThrownBy([] { Array<int>().pop_back(); }) ==
        "IndexError: Array index -1 out of range for size 0");
}

TEST_CASE("insert, erase, resize and reserve work as in std::vector") {
  const NothingLeft check;
  Array<String> a = {"alpha beta", "b"};
  auto it = a.insert(a.begin() + 1, "between the two");
  CHECK(*it == "between the two");
  CHECK(Repr(a) == "['alpha beta', 'between the two', 'b']");
  const std::vector<const char*> more = {"x", "y"};
  a.insert(a.end(), more.begin(), more.end());
  CHECK(a.size() == 5);
  it = a.erase(a.begin());
  CHECK(*it == "between the two");
  a.erase(a.begin() + 1, a.begin() + 3);
  CHECK(Repr(a) == "['between the two', 'y']");
  a.resize(4);
  CHECK(Repr(a) == "['between the two', 'y', '', '']");
  a.resize(1);
  a.reserve(100);
  CHECK(a.capacity() >= 100);
  a.pop_back();
  CHECK(a.empty());
  CHECK_THROWS_AS(a.reserve(int64_t{1} << 61), std::bad_alloc);
  CHECK(ThrownBy([&] { a.resize(-5); }) == "ValueError: size: expected int >= 0, got -5");
}

TEST_CASE("iterators walk, jump and keep the sequence alive") {
  const NothingLeft check;
  const Array<int> a = {3, 1, 2};
  CHECK(std::accumulate(a.begin(), a.end(), 0) == 6);
  CHECK(*std::max_element(a.begin(), a.end()) == 3);
  CHECK(std::vector<int>(a.rbegin(), a.rend()) == std::vector<int>{2, 1, 3});
  CHECK(a.end() - a.begin() == 3);
  CHECK(a.begin()[2] == 2);
  auto it = Array<int>{7, 8}.begin();
  CHECK(*++it == 8);
  const Array<Point> points = {MakePoint(1), MakePoint(2)};
  CHECK(points.begin()->get()->x == 1);
  double sum = 0;
  for (const Point& p : points) sum += p->x;
  CHECK(sum == 3);
  CHECK(Repr(a.Map([](int v) { return v * 0.5; })) == "[1.5, 0.5, 1.0]");
}

TEST_CASE("handles of elements that are stored alike share the object") {
  const NothingLeft check;
  const Array<Point> points = {MakePoint(1)};
  const Array<ObjectRef> refs = points;
  CHECK(refs.same_as(points));
  const Array<Any> values = points;
  CHECK(values.same_as(points));
  const Array<int> ints = {1, 2};
  const Array<double> doubles = ints;
  CHECK(!doubles.same_as(ints));
  CHECK(Repr(doubles) == "[1.0, 2.0]");
}

TEST_CASE("a parameter converts the elements that it can") {
  const NothingLeft check;
  const Any ints = Array<int>{1, 2};
  CHECK(ints.cast<Array<int>>().same_as(ints.cast<ObjectRef>()));
  CHECK(Repr(ints.cast<Array<double>>()) == "[1.0, 2.0]");
  CHECK(ints.as<Array<int>>().has_value());
  CHECK(!ints.as<Array<double>>().has_value());
  CHECK(!Any(Array<Any>{1, "x"}).as<Array<int>>().has_value());
  const Any list = List<int>{1, 2};
  CHECK(Repr(list.cast<Array<int>>()) == "[1, 2]");
  CHECK(Repr(ints.cast<List<int>>()) == "[1, 2]");
  CHECK(Repr(Any(Array<Any>{1, List<int>{2}}).cast<Array<Any>>()) == "[1, [2]]");
}

TEST_CASE("what does not fit is said with its place") {
  const NothingLeft check;
  const Array<Any> mixed = {MakePoint(1), MakePoint(2), 3};
  CHECK(CastError<Array<Point>>(mixed, "Polygon.points") ==
        "TypeError: Polygon.points[2]: expected test_values.Point, got int (3)");
  CHECK(CastError<Array<Point>>(5, "Polygon.points") ==
        "TypeError: Polygon.points: expected Array[test_values.Point], got int (5)");
  CHECK(CastError<Array<Array<int8_t>>>(Array<Any>{Array<int>{1}, Array<int>{1, 300}}, "f: x") ==
        "OverflowError: f: x[1][1]: expected int in -128..127, got 300");
  CHECK(CastError<Array<int>>(Array<Any>{"a"}) == "TypeError: [0]: expected int, got str ('a')");
  CHECK(CastError<Array<int>>(nullptr) == "TypeError: expected Array[int], got None");
}

TEST_CASE("an Array that is moved into a call is moved on, not shared") {
  const NothingLeft check;
  Array<int> source = {1, 2};
  TainObject* slot = internal::RefAccess::Release(source);
  TainAny reference{};
  reference.type_index = kTainRValueRef;
  reference.v_ptr = &slot;
  Array<int> taken = AnyView(reference).cast<Array<int>>();
  CHECK(slot == nullptr);
  CHECK(taken.use_count() == 1);
  const Object* before = taken.get();
  taken.push_back(3);
  CHECK(taken.get() == before);
  CHECK(source.size() == 0);
  CHECK(ThrownBy([&] { source[0]; }) == "IndexError: Array index 0 out of range for size 0");
}

TEST_CASE("nested Arrays of any depth are dropped without recursion") {
  const NothingLeft check;
  Array<Any> nested;
  for (int i = 0; i < 300000; ++i) nested = Array<Any>({Any(std::move(nested))});
  CHECK(nested.size() == 1);
}

TEST_CASE("an Array copies a List, and a List an Array") {
  const NothingLeft check;
  List<int> list = {1, 2};
  const Array<int> array(list);
  list.push_back(3);
  CHECK(Repr(array) == "[1, 2]");
  CHECK(Repr(Array<double>(list)) == "[1.0, 2.0, 3.0]");
  CHECK(Repr(Array<Any>(list)) == "[1, 2, 3]");
  List<int> copy(array);
  copy.push_back(5);
  CHECK(Repr(array) == "[1, 2]");
  CHECK(Repr(Array<int64_t>(Shape({3, 4}))) == "[3, 4]");
  CHECK(Shape(Array<int>{5, 6}).size() == 2);
  const Any mixed = List<Any>{1, "x"};  // another handle calls it a list of int
  const auto wrong =
      internal::RefAccess::Make<List<int>>(internal::RefAccess::Share<Object>(mixed.data().v_obj));
  CHECK(ThrownBy([&] { Array<int> other(wrong); }) ==
        "TypeError: List[1]: expected int, got str ('x')");
}
