// SPDX-License-Identifier: Apache-2.0
// Array<T>, a sequence with value semantics: changing one handle never changes another.
//
//   Array<int> a = {1, 2, 3};
//   Array<int> b = a;      // the same object
//   b.push_back(4);        // b is a copy now; a still has three elements
// The shared object is immutable: if another handle or a live wrapper in Python refers to it, a
// change copies it first. Python sees a tuple-like `tain.Array`. To share changes, use List.
#pragma once

#include "tain/container/seq_base.h"

namespace tain {

/// The object behind Array.
class ArrayObj : public SeqObj {
 public:
  TAIN_INTERNAL_BUILTIN_TYPE("ffi.Array", kTainArray, true);
};

/// A sequence of T with copy on write, never null.
template <class T = Any>
class Array : public internal::SeqBase<T, kTainArray> {
  using Base = internal::SeqBase<T, kTainArray>;

 public:
  using ContainerType = ArrayObj;

  Array() = default;
  explicit Array(UnsafeInit tag) noexcept : Base(tag) {}
  Array(std::initializer_list<T> values) { this->Fill(values); }
  Array(const std::vector<T>& values) { this->Fill(values); }  // NOLINT: same meaning
  /// Copies any range whose elements convert to T, such as a List.
  template <internal::ElementRange<T, ArrayObj> R>
  explicit Array(R&& range) {
    this->Fill(range);
  }
  template <std::input_iterator It>
  Array(It first, It last) {
    this->Fill(internal::IteratorRange(std::move(first), std::move(last)));
  }
  /// Makes `count` copies of a value. Throws ValueError if `count` is negative.
  Array(int64_t count, const T& value) { this->resize(count, value); }
  /// Converts from an Array of U. Shares its object if every stored U is also a stored T; otherwise
  /// makes a new one.
  template <class U>
    requires(!std::is_same_v<T, U> && std::is_convertible_v<U, T>)
  Array(const Array<U>& other) : Base(UnsafeInit{}) {  // NOLINT: the elements convert
    if constexpr (internal::kStoredAlike<U, T>) {
      ObjectRef::operator=(other);
    } else {
      Array converted;
      converted.Fill(other);
      ObjectRef::operator=(std::move(converted));
    }
  }

  /// Returns an Array of the results of f for each element.
  template <class F>
  auto Map(F f) const {
    Array<std::decay_t<std::invoke_result_t<F&, T>>> results;
    results.reserve(static_cast<int64_t>(this->size()));
    for (size_t i = 0; i < this->size(); ++i)
      results.push_back(f((*this)[static_cast<int64_t>(i)]));
    return results;
  }
};

template <class T>
struct TypeTraits<Array<T>> : internal::SeqTraits<Array<T>, ArrayObj, T, kTainArray> {};

static_assert(sizeof(Array<Any>) == sizeof(void*));

}  // namespace tain
