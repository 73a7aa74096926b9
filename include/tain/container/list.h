// SPDX-License-Identifier: Apache-2.0
// List<T>, a mutable sequence; copies of a handle share it.
//
//   List<int> a = {1, 2, 3};
//   List<int> b = a;
//   b.push_back(4);        // a sees four elements: it is the same list
// A field of type List is shared with Python: C++ sees `obj.items.append(x)`. Elements are checked
// when they are read, because other handles to the same list may have another T.
#pragma once

#include "tain/container/seq_base.h"

namespace tain {

/// The object behind List.
class ListObj : public SeqObj {
 public:
  TAIN_INTERNAL_BUILTIN_TYPE("ffi.List", kTainList, true);

  /// Makes an empty List. A List has a data_deleter even without data.
  ListObj() noexcept { cell.data_deleter = &internal::FreeListBlock; }
};

/// A mutable, shared sequence of T, never null.
template <class T = Any>
class List : public internal::SeqBase<T, kTainList> {
  using Base = internal::SeqBase<T, kTainList>;

 public:
  using ContainerType = ListObj;

  List() = default;
  explicit List(UnsafeInit tag) noexcept : Base(tag) {}
  List(std::initializer_list<T> values) { this->Fill(values); }
  List(const std::vector<T>& values) { this->Fill(values); }  // NOLINT: same meaning
  /// Copies any range whose elements convert to T, such as an Array.
  template <internal::ElementRange<T, ListObj> R>
  explicit List(R&& range) {
    this->Fill(range);
  }
  template <std::input_iterator It>
  List(It first, It last) {
    this->Fill(internal::IteratorRange(std::move(first), std::move(last)));
  }
  /// Makes `count` copies of a value. Throws ValueError if `count` is negative.
  List(int64_t count, const T& value) { this->resize(count, value); }
};

template <class T>
struct TypeTraits<List<T>> : internal::SeqTraits<List<T>, ListObj, T, kTainList> {};

static_assert(sizeof(List<Any>) == sizeof(void*));

}  // namespace tain
