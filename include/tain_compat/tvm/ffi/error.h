// SPDX-License-Identifier: Apache-2.0
// Error and the checks, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/error.h"
#include "tvm/ffi/base_detail.h"

namespace tvm::ffi {
using ::tain::Error;
using ::tain::ErrorObj;
using ::tain::interop::ffi::EnvErrorAlreadySet;
}  // namespace tvm::ffi

#define TVM_FFI_THROW TAIN_THROW
#define TVM_FFI_ICHECK TAIN_ICHECK
#define TVM_FFI_CHECK(cond, Kind) TAIN_INTERNAL_CHECK(Kind, cond)
#define TVM_FFI_ICHECK_EQ TAIN_ICHECK_EQ
#define TVM_FFI_ICHECK_NE TAIN_ICHECK_NE
#define TVM_FFI_ICHECK_LT TAIN_ICHECK_LT
#define TVM_FFI_ICHECK_LE TAIN_ICHECK_LE
#define TVM_FFI_ICHECK_GT TAIN_ICHECK_GT
#define TVM_FFI_ICHECK_GE TAIN_ICHECK_GE
