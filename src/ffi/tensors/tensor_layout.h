// SPDX-License-Identifier: Apache-2.0
// The layout of tensors: checks of extents, strides and types, and the bytes that elements take.
#pragma once

#include "tain/tensor.h"

namespace tain::internal {

/// The most dimensions that a tensor may have, as in numpy.
inline constexpr int32_t kMaxTensorDims = 64;

/// Returns the bytes of `count` elements without gaps. Types of less than a byte are packed.
inline int64_t DenseBytes(DLDataType dtype, int64_t count) noexcept {
  const int64_t bits = int64_t{dtype.bits} * dtype.lanes;
  return bits % 8 == 0 ? count * (bits / 8) : (count * bits + 7) / 8;
}
/// Writes the strides of a row-major tensor without gaps.
void FillDenseStrides(int32_t ndim, const int64_t* shape, int64_t* strides) noexcept;
/// Throws ValueError unless a tensor of these extents and this type can exist in memory. `strides`
/// may be null.
void CheckLayout(int32_t ndim, const int64_t* shape, const int64_t* strides, DLDataType dtype);

/// The first and last byte that elements take, counted from the first element: [low, high).
struct ByteSpan {
  int64_t low;
  int64_t high;
};
/// Returns the span of a tensor that CheckLayout has accepted; empty without elements.
ByteSpan SpanOf(const DLTensor& tensor) noexcept;

/// Makes a tensor with the metadata of `layout` that keeps `source`, whose memory it has, and is
/// read-only or lent for the length of a call like that.
ObjectPtr<TensorObj> MakeView(const DLTensor& layout, TainObject* source);

}  // namespace tain::internal
