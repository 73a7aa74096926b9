// SPDX-License-Identifier: Apache-2.0
// Map, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/map.h"

namespace tvm::ffi {
using ::tain::Map;
}  // namespace tvm::ffi
