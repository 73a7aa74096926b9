// SPDX-License-Identifier: Apache-2.0
// String and Bytes, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/convert.h"
#include "tvm/ffi/base_detail.h"

namespace tvm::ffi {
using ::tain::Bytes;
using ::tain::String;
}  // namespace tvm::ffi
