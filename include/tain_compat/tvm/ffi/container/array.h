// SPDX-License-Identifier: Apache-2.0
// Array, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/array.h"

namespace tvm::ffi {
using ::tain::Array;
}  // namespace tvm::ffi
