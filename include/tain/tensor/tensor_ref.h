// SPDX-License-Identifier: Apache-2.0
// TensorRef, a view of a tensor whose type says what the tensor must be; tain checks it.
//
//   float Dot(TensorRef<const float, 1> a, TensorRef<const float, 1> b) {
//     float sum = 0;
//     for (int64_t i = 0; i < a.size(0); ++i) sum += a(i) * b(i);
//     return sum;
//   }
//   void Blur(TensorRef<const uint8_t, 3, Extents<-1, -1, 3>> image, TensorRef<uint8_t, 3> out);
//   void Fft(TensorRef<std::complex<double>, kAnyRank, RowMajor> data);
//   void Kernel(TensorRef<float, 2, OnDevice<kDLCUDA>> x);
//   void Add(TensorRef<const float, 2, RowMajor, Convert> items);  // also of lists, of float64
//   double Total(TensorRef<const float, 2> x) {
//     double sum = 0;
//     for (auto row : x) for (float value : row) sum += value;
//     return sum;
//   }
// A const element type also takes read-only arrays. Without OnDevice or AnyDevice the memory is one
// that the processor can read.
#pragma once

#include <iterator>
#include <ranges>

#include "tain/internal/place_iterator.h"
#include "tain/tensor.h"

namespace tain {

/// The rank of a TensorRef that takes any number of dimensions.
inline constexpr int32_t kAnyRank = -1;

/// Rules for a TensorRef: the elements are row-major (the order of C) without gaps.
struct RowMajor {};
/// The elements are column-major (the order of Fortran) without gaps.
struct ColumnMajor {};
/// The memory is on a kind of device, and the elements cannot be accessed.
template <DLDeviceType kType>
struct OnDevice {};
/// The memory may be anywhere, and the elements cannot be accessed.
struct AnyDevice {};
/// The extents; -1 is any extent.
template <int64_t... kExtent>
struct Extents {};
/// Other arrays, numbers and lists of numbers are converted: the type of the elements, the order and
/// the alignment. A value that the type cannot hold is refused. Nothing is copied if the array
/// follows the rules as it is. The elements must be const, because whoever writes a copy loses it.
struct Convert {};

namespace internal {

inline constexpr int32_t kHostMemory = -1;

/// One rule: what it changes, as constants that the default gives.
template <class Rule>
struct RuleFacts {
  static_assert(!std::is_same_v<Rule, Rule>,
                "TensorRef<T, rank, rules...>: expected RowMajor, ColumnMajor, OnDevice<type>, "
                "AnyDevice, Extents<...> or Convert");
};
struct NoRule {
  static constexpr int32_t kOrder = 0;
  static constexpr int32_t kDevice = kHostMemory;
  static constexpr int32_t kNumExtents = 0;
  static constexpr const int64_t* kExtents = nullptr;
  static constexpr bool kConverts = false;
};
template <>
struct RuleFacts<RowMajor> : NoRule {
  static constexpr int32_t kOrder = 'C';
};
template <>
struct RuleFacts<Convert> : NoRule {
  static constexpr bool kConverts = true;
};
template <>
struct RuleFacts<ColumnMajor> : NoRule {
  static constexpr int32_t kOrder = 'F';
};
template <DLDeviceType kType>
struct RuleFacts<OnDevice<kType>> : NoRule {
  static constexpr int32_t kDevice = kType;
};
template <>
struct RuleFacts<AnyDevice> : NoRule {
  static constexpr int32_t kDevice = 0;
};
template <int64_t... kExtent>
struct RuleFacts<Extents<kExtent...>> : NoRule {
  static constexpr int32_t kNumExtents = sizeof...(kExtent);
  static constexpr int64_t kValues[] = {kExtent...};
  static constexpr const int64_t* kExtents = kValues;
};

template <class T>
constexpr DLDataType RuledType() noexcept {
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return DTypeOf<T>::value;
  }
}

/// Returns the struct that the elements are; null for numbers.
template <class T>
constexpr const StructLayout* LayoutOf() noexcept {
  if constexpr (std::is_void_v<T>) {
    return nullptr;
  } else if constexpr (requires { DTypeOf<T>::kStruct; }) {
    return &DTypeOf<T>::kStruct;
  } else {
    return nullptr;
  }
}

template <class T, int32_t kRank, class... Rules>
constexpr TensorRules MakeTensorRules() noexcept {
  TensorRules rules{
      !std::is_const_v<T>, RuledType<std::remove_const_t<T>>(), kRank, true, 0, 0, 0, nullptr};
  int32_t device = kHostMemory;
  ((rules.order = RuleFacts<Rules>::kOrder != 0 ? RuleFacts<Rules>::kOrder : rules.order), ...);
  ((device = RuleFacts<Rules>::kDevice != kHostMemory ? RuleFacts<Rules>::kDevice : device), ...);
  ((RuleFacts<Rules>::kNumExtents != 0 ? (rules.num_extents = RuleFacts<Rules>::kNumExtents,
                                          rules.extents = RuleFacts<Rules>::kExtents, 0)
                                       : 0),
   ...);
  rules.host_memory = device == kHostMemory;
  rules.device_type = device == kHostMemory ? 0 : device;
  rules.converts = (RuleFacts<Rules>::kConverts || ...);
  rules.layout = LayoutOf<std::remove_const_t<T>>();
  return rules;
}

/// Goes through elements at equal distances.
template <class T>
class StridedIterator : public PlaceIterator<StridedIterator<T>, T&> {
 public:
  StridedIterator() noexcept = default;
  StridedIterator(T* first, ptrdiff_t stride) noexcept : first_(first), stride_(stride) {}
  T& At(ptrdiff_t place) const noexcept { return first_[place * stride_]; }

 private:
  T* first_ = nullptr;
  ptrdiff_t stride_ = 0;
};

/// Goes through the rows of a tensor.
template <class Row>
class RowIterator : public PlaceIterator<RowIterator<Row>, Row> {
 public:
  RowIterator() noexcept = default;
  RowIterator(const DLTensor& tensor) noexcept : tensor_(tensor) {}  // NOLINT
  Row At(ptrdiff_t place) const { return RowOf(tensor_, place); }
  static Row RowOf(const DLTensor& tensor, ptrdiff_t place) noexcept {
    DLTensor row = tensor;
    const ptrdiff_t skipped = place * tensor.strides[0];
    row.data =
        static_cast<char*>(tensor.data) + tensor.byte_offset + skipped * ItemSize(tensor.dtype);
    row.byte_offset = 0;
    --row.ndim;
    ++row.shape;
    ++row.strides;
    return Row(&row);
  }

 private:
  DLTensor tensor_{};
};

}  // namespace internal

/// A view of a tensor with elements of type T (`void`: any type) and `kRank` dimensions. It is
/// valid until the call ends. If the processor can read the elements it is a range along its first
/// dimension: of elements, or of rows, which are views too. Rows of a RowMajor view are RowMajor,
/// and a RowMajor view of one dimension is a contiguous range, of which a std::span can be made.
template <class T, int32_t kRank = kAnyRank, class... Rules>
class TensorRef : public TensorAccess<TensorRef<T, kRank, Rules...>> {
 public:
  static constexpr internal::TensorRules kRules = internal::MakeTensorRules<T, kRank, Rules...>();
  static constexpr bool kReadable = kRules.host_memory && !std::is_void_v<std::remove_const_t<T>>;
  /// The view of a row.
  using Row = std::conditional_t<kRules.order == 'C', TensorRef<T, kRank - 1, RowMajor>,
                                 TensorRef<T, kRank - 1>>;
  static_assert(!kRules.converts || std::is_const_v<T>,
                "TensorRef: Convert needs const elements: what is written to a copy would be lost");
  static_assert(!kRules.converts || (kRules.host_memory && kRules.layout == nullptr),
                "TensorRef: Convert makes arrays of numbers in the memory of the processor");
  static_assert(kRules.num_extents == 0 || kRank == kAnyRank || kRules.num_extents == kRank,
                "TensorRef: Extents must have one number for each dimension");

  /// Views a tensor that follows the rules. Throws TypeError otherwise.
  explicit TensorRef(const Tensor& tensor)
      : TensorRef(internal::CastOrThrow<TensorRef>(AnyView(tensor).data())) {}
  /// Views a tensor without a check.
  explicit TensorRef(const DLTensor* tensor) noexcept : tensor_(*tensor) {}
  /// Views a tensor that was made for it, and holds it.
  TensorRef(internal::MadeTensor made) noexcept  // NOLINT: only tain makes one
    requires(kRules.makes())
      : tensor_(made.tensor.dl_tensor()), held_(std::move(made.tensor)) {}

  const DLTensor* operator->() const noexcept { return &tensor_; }
  const DLTensor& dl_tensor() const noexcept { return tensor_; }
  /// The address of the first element.
  T* data() const noexcept {
    return reinterpret_cast<T*>(static_cast<char*>(tensor_.data) + tensor_.byte_offset);
  }
  /// The element at the indices. Builds without NDEBUG check them and throw IndexError.
  template <class... Index>
    requires(kReadable && (kRank == kAnyRank || sizeof...(Index) == kRank))
  auto& operator()(Index... index) const {
#ifdef NDEBUG
    int64_t offset = 0;
    int32_t dimension = 0;
    ((offset += static_cast<int64_t>(index) * tensor_.strides[dimension++]), ...);
    return data()[offset];
#else
    return at(index...);
#endif
  }
  /// The element at the indices, which are always checked. Throws IndexError.
  template <class... Index>
    requires(kReadable)
  auto& at(Index... index) const {
    const int64_t indices[] = {static_cast<int64_t>(index)...};
    return data()[internal::CheckedOffset(tensor_, indices)];
  }
  /// All elements in the order of the memory; the type must say that there are no gaps.
  auto elements() const noexcept
    requires(kReadable && kRules.order != 0)
  {
    return std::span<T>(data(), static_cast<size_t>(internal::NumElements(tensor_)));
  }

  /// The element or the row at an index, which is checked as by operator().
  auto& operator[](int64_t index) const
    requires(kReadable && kRank == 1)
  {
    return (*this)(index);
  }
  Row operator[](int64_t index) const
    requires(kReadable && kRank > 1)
  {
#ifndef NDEBUG
    if (TAIN_UNLIKELY(index < 0 || index >= tensor_.shape[0])) {
      internal::ThrowTensorIndex(index, 0, tensor_.shape[0]);
    }
#endif
    return internal::RowIterator<Row>::RowOf(tensor_, index);
  }
  using TensorAccess<TensorRef>::size;
  /// The number of elements or rows.
  size_t size() const noexcept
    requires(kReadable && kRank > 0)
  {
    return static_cast<size_t>(tensor_.shape[0]);
  }
  auto begin() const noexcept
    requires(kReadable && kRank > 0)
  {
    if constexpr (kRank > 1) {
      return internal::RowIterator<Row>(tensor_);
    } else if constexpr (kRules.order != 0) {
      return data();
    } else {
      return internal::StridedIterator<T>(data(), tensor_.strides[0]);
    }
  }
  auto end() const noexcept
    requires(kReadable && kRank > 0)
  {
    return begin() + tensor_.shape[0];
  }

 private:
  struct Nothing {};

  DLTensor tensor_;
  [[no_unique_address]] std::conditional_t<kRules.makes(), Tensor, Nothing> held_;
};

template <class T, int32_t kRank, class... Rules>
struct TypeTraits<TensorRef<T, kRank, Rules...>>
    : internal::TensorViewTraits<TensorRef<T, kRank, Rules...>, TensorRef<T, kRank, Rules...>> {};

}  // namespace tain

// An iterator of a view may outlive the view, unless the view holds the memory.
template <class T, int32_t kRank, class... Rules>
inline constexpr bool std::ranges::enable_borrowed_range<tain::TensorRef<T, kRank, Rules...>> =
    !tain::TensorRef<T, kRank, Rules...>::kRules.makes();
