// SPDX-License-Identifier: Apache-2.0
// Dict, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/dict.h"

namespace tvm::ffi {
using ::tain::Dict;
}  // namespace tvm::ffi
