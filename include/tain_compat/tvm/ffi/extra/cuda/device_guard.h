// SPDX-License-Identifier: Apache-2.0
// CUDADeviceGuard, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/ffi/extra/cuda/base.h"

namespace tvm::ffi {
using ::tain::interop::ffi::CUDADeviceGuard;
}  // namespace tvm::ffi
