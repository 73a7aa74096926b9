// SPDX-License-Identifier: Apache-2.0
// The memory of tensors: objects with their extents and strides, and elements of tain's own.
#include <algorithm>
#include <cstdlib>

#include "tain/internal/tensor_loans.h"
#include "tensors/tensor_layout.h"
#include "tensors/tensor_text.h"

namespace tain {

TensorObj::~TensorObj() {
  if (TAIN_UNLIKELY((tail.flags & kTainTensorIsView) != 0)) internal::LeaveLoan(this);
  if (tail.release != nullptr) tail.release(&tail);
}

namespace internal {
namespace {

/// Elements begin at a multiple of this, so that vector instructions may be used.
constexpr size_t kAlignment = 64;

/// Returns elements of at least one byte, or null.
void* AllocateElements(size_t bytes) noexcept {
#if defined(_WIN32)
  return _aligned_malloc(std::max<size_t>(bytes, 1), kAlignment);
#else
  const size_t rounded = (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  return std::aligned_alloc(kAlignment, rounded);
#endif
}

void ReleaseElements(TainTensorTail* tail) {
#if defined(_WIN32)
  _aligned_free(tail->owner);
#else
  std::free(tail->owner);
#endif
}

/// Describes a tensor without elements. A shape of too many dimensions has one too many.
DLTensor PrototypeOf(ShapeView shape, DLDataType dtype, DLDevice device) noexcept {
  DLTensor prototype{};
  prototype.device = device;
  prototype.dtype = dtype;
  prototype.ndim = static_cast<int32_t>(std::min<size_t>(shape.size(), kMaxTensorDims + 1));
  prototype.shape = const_cast<int64_t*>(shape.data());  // only read
  return prototype;
}

}  // namespace

ObjectPtr<TensorObj> NewTensor(int32_t ndim) {
  if (ndim < 0 || ndim > kMaxTensorDims) CheckLayout(ndim, nullptr, nullptr, {});
  const size_t room = 2 * sizeof(int64_t) * static_cast<size_t>(ndim);
  void* body = TainObjectAlloc(sizeof(TensorObj) + room, alignof(TensorObj), kTainTensor);
  if (body == nullptr) throw std::bad_alloc();
  auto* tensor = ::new (body) TensorObj();
  tensor->ndim = ndim;
  tensor->shape = reinterpret_cast<int64_t*>(tensor + 1);  // in the same block
  tensor->strides = tensor->shape + ndim;
  FinishObject(tensor, kTainTensor, &DeleteObject<TensorObj>);
  return RefAccess::Steal<TensorObj>(ObjectAccess::Header(tensor));
}

ObjectPtr<TensorObj> MakeTensor(const DLTensor& prototype, const TainTensorTail& tail) {
  CheckLayout(prototype.ndim, prototype.shape, prototype.strides, prototype.dtype);
  ObjectPtr<TensorObj> made = NewTensor(prototype.ndim);
  made->data = prototype.data;
  made->device = prototype.device;
  made->dtype = prototype.dtype;
  made->byte_offset = prototype.byte_offset;
  if (made->byte_offset != 0 && made->data != nullptr &&
      HasMemory<DeviceMemory::kAddress>(made->device)) {
    made->data = static_cast<char*>(made->data) + made->byte_offset;  // code often forgets it
    made->byte_offset = 0;
  }
  if (prototype.strides == nullptr) {
    std::copy_n(prototype.shape, prototype.ndim, made->shape);
    FillDenseStrides(made->ndim, made->shape, made->strides);
  } else {
    for (int32_t i = 0; i < prototype.ndim; ++i) {  // so few that memmove takes longer
      made->shape[i] = prototype.shape[i];
      made->strides[i] = prototype.strides[i];
    }
  }
  made->tail = tail;
  return made;
}

ObjectPtr<TensorObj> MemoryTensor(void* data, ShapeView shape, ShapeView strides, DLDataType dtype,
                                  bool read_only) {
  if (strides.data() != nullptr && strides.size() != shape.size()) {
    TAIN_THROW(ValueError) << "Tensor::View: expected a stride for each of " << shape.size()
                           << " extents, got " << strides.size();
  }
  DLTensor prototype = PrototypeOf(shape, dtype, {kDLCPU, 0});
  prototype.data = data;
  prototype.strides = const_cast<int64_t*>(strides.data());  // only read
  ObjectPtr<TensorObj> made = MakeTensor(prototype, {});
  if (data == nullptr && NumElements(*made) != 0) {
    TAIN_THROW(ValueError) << "Tensor::View: expected the address of " << NumElements(*made)
                           << " elements, got null";
  }
  if (read_only) made->tail.flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  return made;
}

void ThrowVectorSize(size_t size, ShapeView shape) {
  TAIN_THROW(ValueError) << "Tensor::FromVector: expected as many elements as the shape "
                         << ShapeText(shape) << " has, got " << size;
}

ObjectPtr<TensorObj> AllocateTensor(ShapeView shape, DLDataType dtype, DLDevice device) {
  DLTensor prototype = PrototypeOf(shape, dtype, device);
  if (device.device_type != kDLCPU) {
    CheckLayout(prototype.ndim, prototype.shape, nullptr, dtype);
    TainObject* made = nullptr;
    ThrowIfFailed(TainEnvTensorAlloc(&prototype, &made));
    return RefAccess::Steal<TensorObj>(made);
  }
  ObjectPtr<TensorObj> made = MakeTensor(prototype, {});
  const auto bytes = static_cast<size_t>(DenseBytes(dtype, NumElements(*made)));
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  made->data = AllocateElements(bytes);
  if (made->data == nullptr) throw std::bad_alloc();
  made->tail.owner = made->data;
  made->tail.release = ReleaseElements;
  return made;
}

}  // namespace internal
}  // namespace tain
