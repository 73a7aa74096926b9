// SPDX-License-Identifier: Apache-2.0
// Expected and its checks, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/expected.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/error.h"

namespace tvm::ffi {
using ::tain::CallExpected;
using ::tain::Expected;
using ::tain::Unexpected;
}  // namespace tvm::ffi

#define TVM_FFI_UNEXPECTED TAIN_UNEXPECTED
#define TVM_FFI_RET_CHECK TAIN_RETURN_CHECK
#define TVM_FFI_RET_CHECK_EQ TAIN_RETURN_CHECK_EQ
#define TVM_FFI_RET_CHECK_NE TAIN_RETURN_CHECK_NE
#define TVM_FFI_RET_CHECK_LT TAIN_RETURN_CHECK_LT
#define TVM_FFI_RET_CHECK_LE TAIN_RETURN_CHECK_LE
#define TVM_FFI_RET_CHECK_GT TAIN_RETURN_CHECK_GT
#define TVM_FFI_RET_CHECK_GE TAIN_RETURN_CHECK_GE
#define TVM_FFI_RET_ICHECK TAIN_RETURN_ICHECK
#define TVM_FFI_RET_ICHECK_EQ TAIN_RETURN_ICHECK_EQ
#define TVM_FFI_RET_ICHECK_NE TAIN_RETURN_ICHECK_NE
#define TVM_FFI_RET_ICHECK_LT TAIN_RETURN_ICHECK_LT
#define TVM_FFI_RET_ICHECK_LE TAIN_RETURN_ICHECK_LE
#define TVM_FFI_RET_ICHECK_GT TAIN_RETURN_ICHECK_GT
#define TVM_FFI_RET_ICHECK_GE TAIN_RETURN_ICHECK_GE
