// SPDX-License-Identifier: Apache-2.0
// The table of global functions, under the names of tvm::runtime.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/runtime/packed_func.h"

namespace tvm::runtime {
using ::tain::Registry;
}  // namespace tvm::runtime

#define TVM_REGISTER_GLOBAL TAIN_REGISTER_GLOBAL
