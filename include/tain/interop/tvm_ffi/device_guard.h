// SPDX-License-Identifier: Apache-2.0
// CUDADeviceGuard: makes a device of CUDA the current one as long as it lives.
//
// Without the header of the CUDA runtime on the path the class is declared, but not defined.
#pragma once

#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#define TAIN_INTERNAL_HAS_CUDA 1
#else
#define TAIN_INTERNAL_HAS_CUDA 0
#endif

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

#if TAIN_INTERNAL_HAS_CUDA
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
#else
struct CUDADeviceGuard;
#endif

}  // namespace tain::interop::ffi
