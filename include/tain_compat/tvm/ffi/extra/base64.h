// SPDX-License-Identifier: Apache-2.0
// Bytes as text, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/base64.h"
#include "tvm/ffi/c_api.h"
#include "tvm/ffi/string.h"

namespace tvm::ffi {
using ::tain::interop::ffi::Base64Decode;
using ::tain::interop::ffi::Base64Encode;
}  // namespace tvm::ffi
