// SPDX-License-Identifier: Apache-2.0
// Variant, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/variant.h"

namespace tvm::ffi {
using ::tain::Variant;
}  // namespace tvm::ffi
