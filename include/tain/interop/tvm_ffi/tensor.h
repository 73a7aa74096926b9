// SPDX-License-Identifier: Apache-2.0
// Tensor with the functions that sources for tvm::ffi call, and helpers for DLTensor.
//
//   ffi::Tensor out = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, {n}, dtype, device);
// It converts to tain::Tensor and back without cost: both are handles to the same object.
#pragma once

#include <utility>

#include "tain/interop/tvm_ffi/c_env_api.h"
#include "tain/tensor.h"

namespace tain::interop::ffi {

/// A tain::Tensor with FromEnvAlloc.
class Tensor : public ::tain::Tensor {
 public:
  using ContainerType = TensorObj;
  static constexpr bool _type_is_nullable = true;

  Tensor() noexcept = default;
  explicit Tensor(UnsafeInit tag) noexcept : ::tain::Tensor(tag) {}
  explicit Tensor(ObjectPtr<TensorObj> object) noexcept : ::tain::Tensor(std::move(object)) {}
  Tensor(::tain::Tensor tensor) noexcept : ::tain::Tensor(std::move(tensor)) {}  // NOLINT: the same

  /// Makes a tensor by the environment's allocator, which is TVMFFIEnvTensorAlloc. Throws the errors
  /// of the allocator.
  static Tensor FromEnvAlloc(int (*env_alloc)(DLTensor* prototype, TVMFFIObjectHandle* out),
                             ShapeView shape, DLDataType dtype, DLDevice device) {
    DLTensor prototype{};
    prototype.device = device;
    prototype.dtype = dtype;
    prototype.ndim = static_cast<int32_t>(shape.size());
    prototype.shape = const_cast<int64_t*>(shape.data());  // only read
    TVMFFIObjectHandle made = nullptr;
    internal::ThrowIfFailed(env_alloc(&prototype, &made));
    return Tensor(internal::RefAccess::Steal<TensorObj>(static_cast<TainObject*>(made)));
  }
  static Tensor FromEnvAlloc(int (*env_alloc)(DLTensor* prototype, TVMFFIObjectHandle* out),
                             std::initializer_list<int64_t> shape, DLDataType dtype,
                             DLDevice device) {
    return FromEnvAlloc(env_alloc, ShapeView(shape.begin(), shape.size()), dtype, device);
  }
  /// Returns the DLTensor.
  DLTensor* GetDLTensorPtr() const { return get(); }
};

/// Whether a tensor is row-major without gaps. Strides may be null.
inline bool IsContiguous(const DLTensor& tensor) noexcept {
  return tensor.strides == nullptr || internal::IsDense(tensor, true);
}
/// Returns the bytes of elements without gaps; elements of less than a byte are packed.
inline size_t GetDataSize(size_t numel, DLDataType dtype) noexcept {
  return (numel * dtype.bits * dtype.lanes + 7) / 8;
}
inline size_t GetDataSize(const DLTensor& tensor) noexcept {
  return GetDataSize(static_cast<size_t>(internal::NumElements(tensor)), tensor.dtype);
}
inline size_t GetDataSize(const ::tain::Tensor& tensor) { return GetDataSize(tensor.dl_tensor()); }
inline size_t GetDataSize(const TensorView& tensor) { return GetDataSize(tensor.dl_tensor()); }
/// Whether the address of memory of a device is that of its first byte, rather than a handle.
inline bool IsDirectAddressDevice(const DLDevice& device) noexcept {
  return device.device_type <= kDLCUDAHost || device.device_type == kDLCUDAManaged ||
         device.device_type == kDLROCM || device.device_type == kDLROCMHost;
}
/// Whether the first element lies at a multiple of `alignment` bytes.
inline bool IsAligned(const DLTensor& tensor, size_t alignment) noexcept {
  const uint64_t start =
      IsDirectAddressDevice(tensor.device) ? reinterpret_cast<uintptr_t>(tensor.data) : 0;
  return (start + tensor.byte_offset) % alignment == 0;
}

}  // namespace tain::interop::ffi

namespace tain {

template <>
struct TypeTraits<interop::ffi::Tensor>
    : internal::ReadingTraits<interop::ffi::Tensor,
                              internal::HandleTraits<interop::ffi::Tensor, TensorObj, false>> {
  static bool ReadInto(const TainAny* a, interop::ffi::Tensor* out) {
    return TypeTraits<Tensor>::ReadInto(a, out);
  }
  static std::string TypeStr() { return TypeTraits<Tensor>::TypeStr(); }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return TypeTraits<Tensor>::ExplainMismatch(a);
  }
};

}  // namespace tain
