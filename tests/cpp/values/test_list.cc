// SPDX-License-Identifier: Apache-2.0
// List: shared changes, checks where elements are read, changes while it is walked.
#include "tain/container/list.h"

#include <cstring>

#include "helpers/value_helpers.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/map.h"
#include "tain/internal/container_version.h"

using namespace tain;
using namespace tain_test;

// An element that is read is a copy, so it cannot be assigned by mistake.
template <class T>
concept Assigned = requires(List<T> list, T value) { list[0] = value; } ||
                   requires(Array<T> array, T value) { array[0] = value; } ||
                   requires(Dict<String, T> dict, T value) { dict["key"] = value; } ||
                   requires(Map<String, T> map, T value) { map.at("key") = value; } ||
                   requires(List<T> list, T value) { list.front() = value; } ||
                   requires(List<T> list, T value) { *list.begin() = value; } ||
                   requires(Dict<String, T> dict, T value) { dict.begin()->second = value; };
static_assert(!Assigned<Any> && !Assigned<String> && !Assigned<int> && !Assigned<List<Any>>);

TEST_CASE("all handles to a List see its changes") {
  const NothingLeft check;
  List<int> a = {1, 2, 3};
  List<int> b = a;
  b.push_back(4);
  CHECK(a.same_as(b));
  CHECK(Repr(a) == "[1, 2, 3, 4]");
  a.erase(a.begin());
  b.Set(0, 20);
  b.insert(b.begin(), 0);
  CHECK(Repr(a) == "[0, 20, 3, 4]");
  b.clear();
  CHECK(a.empty());
  a.resize(2);
  CHECK(Repr(b) == "[0, 0]");
}

TEST_CASE("a default List is empty, not null, and not shared") {
  const NothingLeft check;
  List<Any> a, b;
  CHECK(a.defined());
  a.push_back(1);
  CHECK(b.empty());
}

TEST_CASE("a List can hold itself") {
  List<Any> a;
  a.push_back(a);
  CHECK(Repr(a) == "[...]");
  a.clear();
  CHECK(a.use_count() == 1);
}

TEST_CASE("a List that others fill with something else is checked where it is read") {
  const NothingLeft check;
  List<Any> any = {1, 2};
  List<int> ints = Any(any).cast<List<int>>();
  CHECK(ints.same_as(any));
  any.push_back("three");
  CHECK(ints[1] == 2);
  CHECK(ThrownBy([&] { ints[2]; }) == "TypeError: List[2]: expected int, got str ('three')");
  CHECK(CastError<List<int>>(any) == "TypeError: [2]: expected int, got str ('three')");
}

TEST_CASE("a List that shrinks while it is walked throws IndexError") {
  const NothingLeft check;
  List<int> a = {1, 2, 3};
  CHECK(ThrownBy([&] {
          for (const int value : a) {
            if (value == 1) a.resize(1);
          }
        }) == "IndexError: List index 1 out of range for size 1");
}

TEST_CASE("elements of a List may be spliced from the List itself") {
  const NothingLeft check;
  List<String> a = {"one of many texts", "b"};
  TainObject* header = internal::RefAccess::Header(a);
  for (int i = 0; i < 4; ++i) {
    internal::SeqSplice(header, 1, 1, internal::SeqData(header), internal::SeqSize(header));
  }
  CHECK(a.size() == 32);
  internal::SeqSplice(header, 1, 31, internal::SeqData(header) + 31, 1);
  CHECK(Repr(a) == "['one of many texts', 'b', 'b']");
  CHECK(ThrownBy([&] { internal::SeqSplice(header, 0, 9, nullptr, 0); }) ==
        "IndexError: List index 9 out of range for size 3");
  CHECK(ThrownBy([&] { internal::SeqInsert(header, 4, Any(1)); }) ==
        "IndexError: List index 4 out of range for size 3");
}

TEST_CASE("the memory of a List is the cell of the binary contract") {
  const NothingLeft check;
  List<int> a = {5, 6};
  const TainObject* header = internal::RefAccess::Header(a);
  CHECK(header->type_index == kTainList);
  const auto* cell = reinterpret_cast<const TainSeqCell*>(header + 1);
  CHECK(cell->size == 2);
  CHECK(cell->capacity >= 2);
  const auto* elements = static_cast<const TainAny*>(cell->data);
  CHECK(elements[1].type_index == kTainInt);
  CHECK(elements[1].v_int64 == 6);
  for (int i = 0; i < 1000; ++i) a.push_back(i);
  REQUIRE(bool(cell->data_deleter != nullptr));
  CHECK(static_cast<const TainAny*>(cell->data)[1001].v_int64 == 999);
}

TEST_CASE("a List always has a data_deleter, which compiled code elsewhere calls when it grows") {
  const NothingLeft check;
  List<int> cleared = {1, 2, 3}, popped = {1}, grown;
  cleared.clear();
  popped.pop_back();
  for (int i = 0; i < 100; ++i) grown.push_back(i);
  const List<int> made = {1, 2};
  const Any copied = Any(Array<int>{1, 2}).cast<List<int>>();
  const List<int> lists[] = {List<int>(), cleared, popped, grown, made, copied.cast<List<int>>()};
  for (List<int> list : lists) {
    // As a header of that code does it.
    TainObject* header = internal::RefAccess::Header(list);
    TainSeqCell* cell = internal::SeqCellOf(header);
    auto* block = new TainAny[200];
    if (cell->size > 0)
      std::memcpy(block, cell->data, sizeof(TainAny) * static_cast<size_t>(cell->size));
    REQUIRE(bool(cell->data_deleter != nullptr));
    cell->data_deleter(cell->data);
    cell->data = block;
    cell->capacity = 200;
    cell->data_deleter = [](void* data) { delete[] static_cast<TainAny*>(data); };
    const auto size = static_cast<int64_t>(list.size());
    for (int i = 0; i < 300; ++i) list.push_back(i);
    CHECK(list[size + 299] == 299);
    list.clear();
    CHECK(bool(cell->data_deleter != nullptr));
  }
  const auto bare = make_object<ListObj>();
  CHECK(bool(bare->cell.data_deleter != nullptr));
}

TEST_CASE("the data_deleter of a List frees what compiled code elsewhere puts in its place") {
  const NothingLeft check;
  const List<int> lists[] = {List<int>(), {1, 2, 3}, List<int>(100, 7)};
  for (const List<int>& list : lists) {
    TainSeqCell* cell = internal::SeqCellOf(internal::RefAccess::Header(list));
    for (int times = 0; times < 3; ++times) {
      // The headers of that code allocate so, call the data_deleter, and leave it where it is.
      const int64_t capacity = cell->capacity * 2 + 8;
      void* block = ::operator new(sizeof(TainAny) * static_cast<size_t>(capacity));
      if (cell->size > 0) {
        std::memcpy(block, cell->data, sizeof(TainAny) * static_cast<size_t>(cell->size));
      }
      cell->data_deleter(cell->data);
      cell->data = block;
      cell->capacity = capacity;
      List<int> same = list;
      for (int i = 0; i < 50; ++i) same.push_back(i);
      CHECK(same.size() == list.size());
    }
    CHECK(list[static_cast<int64_t>(list.size()) - 1] == 49);
  }
}

TEST_CASE("each change of a List is seen in its version") {
  const NothingLeft check;
  List<int> a = {3, 1, 2};
  TainObject* header = internal::RefAccess::Header(a);
  const auto changed_by = [&](auto&& change) {
    const internal::ContainerVersion before = internal::VersionOf(header);
    change();
    return internal::VersionOf(header) != before;
  };
  CHECK(changed_by([&] { a.push_back(4); }));
  CHECK(changed_by([&] { a.pop_back(), a.push_back(4); }));
  CHECK(changed_by([&] { a.Set(0, 5); }));
  CHECK(changed_by([&] { a.erase(a.begin()), a.insert(a.begin(), 5); }));
  CHECK(changed_by([&] { a.clear(); }));
  CHECK(changed_by([&] { a.resize(9); }));
  CHECK(!changed_by([&] { a.size(), a.begin(), a[0]; }));
}
