// SPDX-License-Identifier: Apache-2.0
// BigInt, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/big_int.h"
#include "tvm/ffi/any.h"

namespace tvm::ffi {
using ::tain::BigInt;
}  // namespace tvm::ffi
