// SPDX-License-Identifier: Apache-2.0
// The layout of tensors: extents, strides, types; see tensor_layout.h.
#include "tensors/tensor_layout.h"

#include <algorithm>

#include "tensors/tensor_text.h"

namespace tain::internal {
namespace {

/// Multiplies and adds non-negative numbers, and remembers whether a result did not fit.
class Bounded {
 public:
  explicit Bounded(int64_t value) : value_(value) {}
  void Multiply(int64_t factor) {
    fits_ = !__builtin_mul_overflow(value_, factor, &value_) && fits_;
  }
  void Add(int64_t summand) { fits_ = !__builtin_add_overflow(value_, summand, &value_) && fits_; }
  int64_t value() const { return value_; }
  bool fits() const { return fits_; }

 private:
  int64_t value_;
  bool fits_ = true;
};

/// Whether the bytes from the first to the last element can be counted.
bool SpanFits(int32_t ndim, const int64_t* shape, const int64_t* strides, int64_t item) {
  Bounded up(1), down(0);
  for (int32_t i = 0; i < ndim; ++i) {
    Bounded reach(shape[i] - 1);
    reach.Multiply(strides[i]);
    if (!reach.fits() || reach.value() == INT64_MIN) return false;
    (reach.value() < 0 ? down : up).Add(reach.value() < 0 ? -reach.value() : reach.value());
  }
  up.Multiply(item);
  down.Multiply(item);
  return up.fits() && down.fits();
}

/// Whether all numbers are so small that no product of them can overflow, as in nearly all tensors.
bool IsSmallLayout(int32_t ndim, const int64_t* shape, const int64_t* strides, int64_t item) {
  // By the number of dimensions: extents below 2^bits, whose product is then at most 2^52, and
  // strides as well, so that their products with the extents are.
  constexpr int kBits[] = {26, 26, 26, 17, 13};
  if (ndim >= static_cast<int32_t>(std::size(kBits)) || item > 32) return false;
  uint64_t all = 0;
  for (int32_t i = 0; i < ndim; ++i) all |= static_cast<uint64_t>(shape[i]);
  for (int32_t i = 0; strides != nullptr && i < ndim; ++i) all |= static_cast<uint64_t>(strides[i]);
  return (all >> kBits[ndim]) == 0;
}

}  // namespace

void FillDenseStrides(int32_t ndim, const int64_t* shape, int64_t* strides) noexcept {
  uint64_t step = 1;  // wraps around for shapes without elements, whose strides mean nothing
  for (int32_t i = ndim; i-- > 0;) {
    strides[i] = static_cast<int64_t>(step);
    step *= static_cast<uint64_t>(shape[i] == 0 ? 1 : shape[i]);
  }
}

void CheckLayout(int32_t ndim, const int64_t* shape, const int64_t* strides, DLDataType dtype) {
  if (ndim < 0 || ndim > kMaxTensorDims) {
    TAIN_THROW(ValueError) << "Tensor: expected 0 to " << kMaxTensorDims << " dimensions, got "
                           << ndim;
  }
  if (ndim > 0 && shape == nullptr) {
    TAIN_THROW(ValueError) << "Tensor: expected the extents of " << ndim << " dimensions, got null";
  }
  if (dtype.bits == 0 || dtype.lanes == 0) {
    TAIN_THROW(ValueError) << "Tensor: expected a data type of at least one bit and one lane, got "
                           << int{dtype.bits} << " bits and " << dtype.lanes << " lanes";
  }
  if (TAIN_LIKELY(IsSmallLayout(ndim, shape, strides, ItemSize(dtype)))) return;
  Bounded bytes(ItemSize(dtype));
  bool is_empty = false;
  for (int32_t i = 0; i < ndim; ++i) {
    if (shape[i] < 0) {
      TAIN_THROW(ValueError) << "Tensor: expected extents of at least 0, got "
                             << ShapeText({shape, static_cast<size_t>(ndim)});
    }
    is_empty = is_empty || shape[i] == 0;
    // As in numpy: what an empty tensor has besides its 0 must fit too, or its strides do not.
    bytes.Multiply(std::max<int64_t>(shape[i], 1));
  }
  const bool has_span = strides != nullptr && !is_empty;
  if (!bytes.fits() || (has_span && !SpanFits(ndim, shape, strides, ItemSize(dtype)))) {
    TAIN_THROW(ValueError) << "Tensor: a tensor of shape "
                           << ShapeText({shape, static_cast<size_t>(ndim)})
                           << " and these strides does not fit into memory";
  }
}

ByteSpan SpanOf(const DLTensor& tensor) noexcept {
  const int64_t item = ItemSize(tensor.dtype);
  ByteSpan span{0, item};
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] == 0) return {0, 0};
  }
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    const int64_t reach = (tensor.shape[i] - 1) * tensor.strides[i] * item;
    (reach < 0 ? span.low : span.high) += reach;
  }
  return span;
}

}  // namespace tain::internal
