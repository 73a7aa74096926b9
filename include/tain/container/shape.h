// SPDX-License-Identifier: Apache-2.0
// Shape, an immutable sequence of int64: the extents of a tensor.
//
//   Shape s = {2, 3, 4};
//   s[1];  s.size();  s.Product();
// In Python it is a tuple-like `tain.Shape`; a parameter of type Shape also takes sequences of int.
#pragma once

#include <initializer_list>
#include <vector>

#include "tain/container/seq_base.h"

namespace tain {

/// The object behind Shape; the extents follow it in the same block.
class ShapeObj : public Object {
 public:
  TainShapeCell cell{};

  TAIN_INTERNAL_BUILTIN_TYPE("ffi.Shape", kTainShape, true);
};

/// An immutable sequence of extents, never null.
class Shape : public ObjectRef {
 public:
  using ContainerType = ShapeObj;
  using value_type = int64_t;
  using iterator = const int64_t*;
  using const_iterator = iterator;
  static constexpr bool _type_is_nullable = false;

  Shape() : Shape(nullptr, 0) {}
  explicit Shape(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  Shape(const int64_t* data, size_t size)
      : ObjectRef(internal::RefAccess::Steal<Object>(internal::ShapeNew(data, size))) {}
  Shape(std::initializer_list<int64_t> extents) : Shape(extents.begin(), extents.size()) {}
  Shape(const std::vector<int64_t>& extents)  // NOLINT: same meaning
      : Shape(extents.data(), extents.size()) {}
  /// Copies any range of integers, such as an Array.
  template <internal::ElementRange<int64_t, ShapeObj> R>
  explicit Shape(R&& range) : ObjectRef(Collect(range)) {}

  const int64_t* data() const noexcept { return defined() ? Cell().data : nullptr; }
  size_t size() const noexcept { return defined() ? Cell().size : 0; }
  bool empty() const noexcept { return size() == 0; }
  iterator begin() const noexcept { return data(); }
  iterator end() const noexcept { return data() + size(); }
  /// Returns extent i. Throws IndexError if i is not in 0..size()-1.
  int64_t operator[](int64_t i) const {
    if (TAIN_UNLIKELY(i < 0 || static_cast<size_t>(i) >= size())) {
      TAIN_INTERNAL_THROW(IndexError) << "Shape index " << i << " out of range for size " << size();
    }
    return data()[i];
  }
  int64_t at(int64_t i) const { return (*this)[i]; }
  int64_t front() const { return (*this)[0]; }
  int64_t back() const { return (*this)[static_cast<int64_t>(size()) - 1]; }
  /// Returns the number of elements of a tensor of this shape; 1 if it has no dimensions.
  int64_t Product() const noexcept {
    uint64_t product = 1;
    for (const int64_t extent : *this) product *= static_cast<uint64_t>(extent);
    return static_cast<int64_t>(product);
  }

 private:
  const TainShapeCell& Cell() const noexcept { return static_cast<const ShapeObj*>(get())->cell; }
  template <class R>
  static ObjectPtr<Object> Collect(R&& range) {
    std::vector<int64_t> extents;
    for (auto&& extent : range) extents.push_back(static_cast<int64_t>(extent));
    return internal::RefAccess::Steal<Object>(internal::ShapeNew(extents.data(), extents.size()));
  }
};

template <>
struct TypeTraits<Shape>
    : internal::ReadingTraits<Shape, internal::HandleTraits<Shape, ShapeObj, false>> {
  static bool ReadInto(const TainAny* a, Shape* out) {
    const TainAny view = internal::Referred(*a);
    if (view.type_index == kTainShape) {
      *out = internal::TakeHandle<Shape>(*a);
      return true;
    }
    if (Any made; internal::FromHost(view, kTainHostSequence, &made)) {
      return ReadInto(&made.data(), out);
    }
    if (!internal::IsSeq(view.type_index)) return false;
    std::vector<int64_t> extents;
    const bool good = internal::EachElement(view.v_obj, [&](const TainAny* element, int64_t) {
      return TypeTraits<int64_t>::ReadInto(element, &extents.emplace_back());
    });
    if (good) *out = Shape(extents);
    return good;
  }
  static std::string TypeStr() { return "Shape"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return internal::SeqMismatch(internal::Referred(*a), internal::kElementType<int64_t>, &TypeStr);
  }
};

static_assert(sizeof(Shape) == sizeof(void*));

}  // namespace tain
