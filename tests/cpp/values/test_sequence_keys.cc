// SPDX-License-Identifier: Apache-2.0
// Arrays, Shapes and Maps as keys of maps: by content; Lists and Dicts by identity.
#include <doctest/doctest.h>

#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/container/map.h"
#include "tain/container/shape.h"
#include "tain/error.h"

using namespace tain;

TEST_CASE("equal Arrays are one key") {
  Map<Array<int64_t>, int64_t> map{{{1, 2}, 3}, {{}, 4}};
  map.Set({1, 2}, 5);
  CHECK(map.size() == 2);
  CHECK(map.at({1, 2}) == 5);
  CHECK(map.at({}) == 4);
  CHECK(map.count({2, 1}) == 0);
}

TEST_CASE("elements are compared as keys are, at any level") {
  Dict<Any, int64_t> dict;
  const auto nested = [](Any last) {
    return Array<Any>{"a text of some length", Array<Any>{1, nullptr, std::move(last)}};
  };
  dict.Set(nested(2.5), 1);
  CHECK(dict.count(nested(2.5)) == 1);
  CHECK(dict.count(nested(2)) == 0);
  for (int64_t i = 0; i < 100; ++i) dict.Set(nested(i), i);
  CHECK(dict.size() == 101);
  for (int64_t i = 0; i < 100; ++i) CHECK(dict.at(nested(i)) == i);
}

TEST_CASE("equal Shapes are one key, and are not Arrays") {
  Map<Any, int64_t> map{{Shape{2, 3}, 1}};
  CHECK(map.count(Shape{2, 3}) == 1);
  CHECK(map.count(Shape{3, 2}) == 0);
  CHECK(map.count(Array<int64_t>{2, 3}) == 0);
}

TEST_CASE("equal Maps are one key, in whatever order their entries are") {
  Map<Any, int64_t> map{{Map<Any, Any>{{"a", Array<Any>{1}}, {2, 3.0}}, 1}};
  CHECK(map.count(Map<Any, Any>{{2, 3}, {"a", Array<Any>{1}}}) == 1);
  CHECK(map.count(Map<Any, Any>{{2, 4}, {"a", Array<Any>{1}}}) == 0);
  CHECK(map.count(Map<Any, Any>()) == 0);
}

TEST_CASE("what may change is a key by identity") {
  const List<int64_t> list{1};
  const Dict<Any, Any> dict{{1, 2}};
  Map<Any, int64_t> map{{list, 1}, {dict, 2}};
  CHECK(map.count(list) == 1);
  CHECK(map.count(List<int64_t>{1}) == 0);
  CHECK(map.count(dict) == 1);
  CHECK(map.count(Dict<Any, Any>{{1, 2}}) == 0);
}

TEST_CASE("keys nested too deep are refused") {
  Array<Any> deep;
  for (int i = 0; i < 100000; ++i) deep = Array<Any>({Any(deep)});
  Dict<Any, int64_t> dict;
  try {
    dict.Set(deep, 1);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == "RecursionError");
  }
  CHECK(dict.size() == 0);
}
