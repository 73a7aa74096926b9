// SPDX-License-Identifier: Apache-2.0
// Views of tensors, which keep the tensor alive, and copies of elements.
#include <algorithm>
#include <array>
#include <cstring>

#include "tain/internal/tensor_loans.h"
#include "tensors/tensor_layout.h"
#include "tensors/tensor_text.h"

namespace tain::internal {
namespace {

/// Makes a view of `tensor` with the metadata of `layout`, whose byte_offset counts from the first
/// element of `tensor`.
ObjectPtr<TensorObj> ViewWithLayout(TensorObj* tensor, DLTensor layout) {
  const auto offset = static_cast<int64_t>(layout.byte_offset);
  layout.byte_offset = tensor->byte_offset + layout.byte_offset;  // may count backwards
  if (IsHostMemory(tensor->device)) {
    layout.data = static_cast<char*>(tensor->data) + offset;
    layout.byte_offset = tensor->byte_offset;
  }
  return MakeView(layout, ObjectAccess::Header(tensor));
}

/// Copies of the extents and strides of a tensor.
struct Layout {
  explicit Layout(const DLTensor& tensor) : tensor(tensor) {
    std::copy_n(tensor.shape, tensor.ndim, shape.begin());
    std::copy_n(tensor.strides, tensor.ndim, strides.begin());
    this->tensor.shape = shape.data();
    this->tensor.strides = strides.data();
    this->tensor.byte_offset = 0;
  }
  void RemoveDimension(int32_t at) {
    std::copy(shape.begin() + at + 1, shape.begin() + tensor.ndim, shape.begin() + at);
    std::copy(strides.begin() + at + 1, strides.begin() + tensor.ndim, strides.begin() + at);
    --tensor.ndim;
  }
  void SkipElements(int64_t count) {
    tensor.byte_offset = static_cast<uint64_t>(count * ItemSize(tensor.dtype));
  }

  DLTensor tensor;
  std::array<int64_t, kMaxTensorDims> shape{};
  std::array<int64_t, kMaxTensorDims> strides{};
};

void RefusePacked(const DLTensor& tensor, const char* what) {
  if ((int{tensor.dtype.bits} * tensor.dtype.lanes) % 8 == 0) return;
  TAIN_THROW(ValueError) << what << ": elements of type " << DTypeText(tensor.dtype)
                         << " are packed into bytes, so a part of them cannot be addressed";
}

/// Copies the elements of dimension `at` and the dimensions after it.
void CopyDimension(const DLTensor& from, const DLTensor& to, int32_t at, const char* source,
                   char* target, size_t item) {
  if (at == from.ndim) {
    std::memcpy(target, source, item);
    return;
  }
  const int64_t step = from.strides[at] * static_cast<int64_t>(item);
  const int64_t target_step = to.strides[at] * static_cast<int64_t>(item);
  if (at == from.ndim - 1 && from.strides[at] == 1 && to.strides[at] == 1) {
    std::memcpy(target, source, item * static_cast<size_t>(from.shape[at]));
    return;
  }
  for (int64_t i = 0; i < from.shape[at]; ++i) {
    CopyDimension(from, to, at + 1, source + i * step, target + i * target_step, item);
  }
}

char* FirstElement(const DLTensor& tensor) noexcept {
  return static_cast<char*>(tensor.data) + tensor.byte_offset;
}

bool DoOverlap(const DLTensor& a, const DLTensor& b) noexcept {
  const ByteSpan of_a = SpanOf(a), of_b = SpanOf(b);
  return FirstElement(a) + of_a.low < FirstElement(b) + of_b.high &&
         FirstElement(b) + of_b.low < FirstElement(a) + of_a.high;
}

}  // namespace

ObjectPtr<TensorObj> MakeView(const DLTensor& layout, TainObject* source) {
  const TainTensorTail* of_source = TensorTailOf(source);
  constexpr uint64_t kInherited = DLPACK_FLAG_BITMASK_READ_ONLY | kTainTensorIsView;
  TainTensorTail tail{};
  tail.flags = of_source == nullptr ? 0 : of_source->flags & kInherited;
  ObjectPtr<TensorObj> made = MakeTensor(layout, tail);
  IncRef(source);
  made->tail.owner = source;
  made->tail.release = [](TainTensorTail* self) { DecRef(static_cast<TainObject*>(self->owner)); };
  JoinLoan(made.get(), source);
  return made;
}

bool IsDense(const DLTensor& tensor, bool row_major) noexcept {
  int64_t step = 1;
  bool dense = true;
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    const int32_t at = row_major ? tensor.ndim - 1 - i : i;
    if (tensor.shape[at] == 0) return true;
    if (tensor.shape[at] == 1) continue;
    if (tensor.strides != nullptr && tensor.strides[at] != step) dense = false;
    step *= tensor.shape[at];
  }
  return tensor.strides == nullptr ? row_major : dense;
}

ObjectPtr<TensorObj> SliceTensor(TensorObj* tensor, int32_t dimension, int64_t start, int64_t count,
                                 int64_t step) {
  RefusePacked(*tensor, "Tensor.slice");
  const int64_t extent = tensor->shape[dimension];
  int64_t last = 0;
  const bool fits = count >= 0 && (count == 0 || (start >= 0 && start < extent &&
                                                  !__builtin_mul_overflow(count - 1, step, &last) &&
                                                  !__builtin_add_overflow(start, last, &last) &&
                                                  last >= 0 && last < extent));
  if (!fits) {
    TAIN_THROW(IndexError) << "Tensor.slice: " << count << " elements from " << start
                           << " with step " << step << " leave dimension " << dimension
                           << " of extent " << extent;
  }
  Layout layout(*tensor);
  layout.shape[static_cast<size_t>(dimension)] = count;
  if (count == 0) return ViewWithLayout(tensor, layout.tensor);
  layout.SkipElements(start * tensor->strides[dimension]);
  // The stride of one element means nothing, and might not fit.
  layout.strides[static_cast<size_t>(dimension)] =
      count == 1 ? 1 : tensor->strides[dimension] * step;
  return ViewWithLayout(tensor, layout.tensor);
}

ObjectPtr<TensorObj> SelectTensor(TensorObj* tensor, int32_t dimension, int64_t index) {
  RefusePacked(*tensor, "Tensor.select");
  const int64_t extent = tensor->shape[dimension];
  const int64_t at = index < 0 ? index + extent : index;
  if (at < 0 || at >= extent) ThrowTensorIndex(index, dimension, extent);
  Layout layout(*tensor);
  layout.RemoveDimension(dimension);
  layout.SkipElements(at * tensor->strides[dimension]);
  return ViewWithLayout(tensor, layout.tensor);
}

ObjectPtr<TensorObj> RestrideTensor(TensorObj* tensor, ShapeView shape, ShapeView strides,
                                    int64_t offset) {
  RefusePacked(*tensor, "Tensor.as_strided");
  if (shape.size() != strides.size()) {
    TAIN_THROW(ValueError) << "Tensor.as_strided: expected a stride for each of " << shape.size()
                           << " extents, got " << strides.size();
  }
  DLTensor layout = *tensor;
  layout.ndim = static_cast<int32_t>(std::min<size_t>(shape.size(), kMaxTensorDims + 1));
  layout.shape = const_cast<int64_t*>(shape.data());      // only read
  layout.strides = const_cast<int64_t*>(strides.data());  // only read
  CheckLayout(layout.ndim, layout.shape, layout.strides, layout.dtype);
  const ByteSpan span = SpanOf(layout), whole = SpanOf(*tensor);
  int64_t skipped = 0, low = 0, high = 0;
  if (__builtin_mul_overflow(offset, ItemSize(layout.dtype), &skipped) ||
      __builtin_add_overflow(span.low, skipped, &low) ||
      __builtin_add_overflow(span.high, skipped, &high) ||
      (span.low != span.high && (low < whole.low || high > whole.high))) {
    TAIN_THROW(ValueError) << "Tensor.as_strided: the view of shape " << ShapeText(shape)
                           << " with strides " << ShapeText(strides) << " and offset " << offset
                           << " leaves the memory of the tensor";
  }
  layout.byte_offset = static_cast<uint64_t>(span.low == span.high ? 0 : skipped);
  return ViewWithLayout(tensor, layout);
}

void CopyElements(const DLTensor& from, const DLTensor& to) {
  const ShapeView source_shape{from.shape, static_cast<size_t>(from.ndim)};
  const ShapeView target_shape{to.shape, static_cast<size_t>(to.ndim)};
  if (!std::equal(source_shape.begin(), source_shape.end(), target_shape.begin(),
                  target_shape.end()) ||
      !(from.dtype == to.dtype)) {
    TAIN_THROW(ValueError) << "Tensor.copy_from: expected " << TensorText(to) << ", got "
                           << TensorText(from);
  }
  if (!IsHostMemory(from.device) || !IsHostMemory(to.device)) {
    TAIN_THROW(ValueError) << "Tensor.copy_from: expected memory of the processor, got "
                           << DeviceText(IsHostMemory(from.device) ? to.device : from.device);
  }
  const int64_t count = NumElements(from);
  if (count == 0) return;
  if (IsDense(from, true) && IsDense(to, true)) {
    std::memmove(FirstElement(to), FirstElement(from),
                 static_cast<size_t>(DenseBytes(from.dtype, count)));
    return;
  }
  RefusePacked(from, "Tensor.copy_from");
  const auto item = static_cast<size_t>(ItemSize(from.dtype));
  if (!DoOverlap(from, to)) {
    CopyDimension(from, to, 0, FirstElement(from), FirstElement(to), item);
    return;
  }
  const ObjectPtr<TensorObj> between = AllocateTensor(source_shape, from.dtype, {kDLCPU, 0});
  CopyDimension(from, *between, 0, FirstElement(from), FirstElement(*between), item);
  CopyDimension(*between, to, 0, FirstElement(*between), FirstElement(to), item);
}

}  // namespace tain::internal
