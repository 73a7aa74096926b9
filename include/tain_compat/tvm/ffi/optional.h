// SPDX-License-Identifier: Apache-2.0
// Optional, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/optional.h"

namespace tvm::ffi {
using ::tain::Optional;
}  // namespace tvm::ffi
