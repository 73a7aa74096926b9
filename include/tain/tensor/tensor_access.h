// SPDX-License-Identifier: Apache-2.0
// TensorAccess, the base class of Tensor, TensorView, ConstTensorView and TensorRef: shape,
// strides, type and device, read from the DLTensor of the derived class.
#pragma once

#include <span>

#include "tain/error.h"
#include "tain/tensor/dtype_of.h"

namespace tain {

/// The extents or strides of a tensor; valid as long as the tensor.
using ShapeView = std::span<const int64_t>;

namespace internal {

/// Whether a tensor is row-major (or column-major) without gaps. Tensors without elements are.
TAIN_DLL bool IsDense(const DLTensor& tensor, bool row_major) noexcept;
[[noreturn]] TAIN_DLL void ThrowDimension(int64_t dimension, int32_t ndim);
[[noreturn]] TAIN_DLL void ThrowTensorIndex(int64_t index, int32_t dimension, int64_t extent);
[[noreturn]] TAIN_DLL void ThrowIndexCount(size_t count, int32_t ndim);
/// Throws TypeError: the elements of the tensor are not of type `wanted`.
[[noreturn]] TAIN_DLL void ThrowElementType(const DLTensor& tensor, DLDataType wanted);
[[noreturn]] TAIN_DLL void ThrowReadOnly(const char* what);

/// Returns the dimension that a number, which may count from the end, means.
inline int32_t Dimension(int64_t dimension, int32_t ndim) {
  const int64_t at = dimension < 0 ? dimension + ndim : dimension;
  if (TAIN_UNLIKELY(at < 0 || at >= ndim)) ThrowDimension(dimension, ndim);
  return static_cast<int32_t>(at);
}

inline int64_t NumElements(const DLTensor& tensor) noexcept {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor.ndim; ++i) count *= tensor.shape[i];
  return count;
}

/// Returns the elements from the first element to that at `indices`, which are checked.
template <size_t kCount>
inline int64_t CheckedOffset(const DLTensor& tensor, const int64_t (&indices)[kCount]) {
  if (TAIN_UNLIKELY(static_cast<size_t>(tensor.ndim) != kCount)) {
    ThrowIndexCount(kCount, tensor.ndim);
  }
  int64_t offset = 0;
  for (size_t i = 0; i < kCount; ++i) {
    if (TAIN_UNLIKELY(indices[i] < 0 || indices[i] >= tensor.shape[i])) {
      ThrowTensorIndex(indices[i], static_cast<int32_t>(i), tensor.shape[i]);
    }
    offset += indices[i] * tensor.strides[i];
  }
  return offset;
}

}  // namespace internal

/// Base class of the classes that hold or view a tensor. `Self` has dl_tensor().
template <class Self>
class TensorAccess {
 public:
  /// Returns the number of dimensions.
  int32_t ndim() const { return dl().ndim; }
  /// Returns the type of the elements.
  DLDataType dtype() const { return dl().dtype; }
  /// Returns the device that has the memory.
  DLDevice device() const { return dl().device; }
  /// Returns the extents; valid as long as the tensor.
  ShapeView shape() const { return {dl().shape, static_cast<size_t>(dl().ndim)}; }
  /// The strides in elements, not in bytes.
  ShapeView strides() const { return {dl().strides, static_cast<size_t>(dl().ndim)}; }
  /// Returns the extent of a dimension; negative numbers count from the end. Throws IndexError.
  int64_t size(int64_t dimension) const {
    return dl().shape[internal::Dimension(dimension, dl().ndim)];
  }
  /// Returns the stride of a dimension in elements. Throws IndexError.
  int64_t stride(int64_t dimension) const {
    return dl().strides[internal::Dimension(dimension, dl().ndim)];
  }
  /// Returns the number of elements.
  int64_t numel() const { return internal::NumElements(dl()); }
  /// Returns the bytes of all elements, without gaps.
  int64_t nbytes() const { return numel() * ItemSize(dl().dtype); }
  /// Returns the bytes from `data` to the first element.
  uint64_t byte_offset() const { return dl().byte_offset; }
  /// Whether the tensor is row-major without gaps.
  bool is_contiguous() const { return internal::IsDense(dl(), true); }
  /// The same as `is_contiguous()`.
  bool IsContiguous() const { return is_contiguous(); }
  /// The same as `ndim()`.
  int32_t dim() const { return ndim(); }
  /// The same as `shape()`.
  ShapeView sizes() const { return shape(); }

 private:
  const DLTensor& dl() const { return static_cast<const Self*>(this)->dl_tensor(); }
};

namespace internal {

/// Returns the address of the first element. Throws TypeError if the elements are not T; `void`
/// means any type.
template <class T>
inline T* ElementsOf(const DLTensor& tensor) {
  using Bare = std::remove_const_t<T>;
  if constexpr (!std::is_void_v<Bare>) {
    if (TAIN_UNLIKELY(!(tensor.dtype == DTypeOf<Bare>::value))) {
      ThrowElementType(tensor, DTypeOf<Bare>::value);
    }
  }
  return reinterpret_cast<T*>(static_cast<char*>(tensor.data) + tensor.byte_offset);
}

}  // namespace internal
}  // namespace tain
