// SPDX-License-Identifier: Apache-2.0
// Tuple, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/tuple.h"

namespace tvm::ffi {
using ::tain::Tuple;
}  // namespace tvm::ffi
