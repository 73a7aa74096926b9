// SPDX-License-Identifier: Apache-2.0
// CUDADeviceGuard: makes a device of CUDA the current one as long as it lives. Needs the CUDA
// runtime's header.
#pragma once

#include <cuda_runtime.h>

#include "tain/error.h"

/// Throws RuntimeError if a call of the CUDA runtime fails.
#define TVM_FFI_CHECK_CUDA_ERROR(stmt)                                                            \
  do {                                                                                            \
    const cudaError_t tain_internal_error = (stmt);                                               \
    if (tain_internal_error != cudaSuccess) {                                                     \
      TAIN_THROW(RuntimeError) << "CUDA Runtime Error: " << cudaGetErrorName(tain_internal_error) \
                               << " (" << static_cast<int>(tain_internal_error)                   \
                               << "): " << cudaGetErrorString(tain_internal_error);               \
    }                                                                                             \
  } while (0)

namespace tain::interop::ffi {

/// Makes a device the current one; the destructor restores the former one.
struct CUDADeviceGuard : internal::NotCopied {
  explicit CUDADeviceGuard(int device_index) : target_(device_index) {
    TVM_FFI_CHECK_CUDA_ERROR(cudaGetDevice(&original_));
    if (target_ != original_) TVM_FFI_CHECK_CUDA_ERROR(cudaSetDevice(target_));
  }
  ~CUDADeviceGuard() noexcept(false) {
    if (target_ != original_) TVM_FFI_CHECK_CUDA_ERROR(cudaSetDevice(original_));
  }

 private:
  int original_ = 0;
  int target_;
};

}  // namespace tain::interop::ffi
