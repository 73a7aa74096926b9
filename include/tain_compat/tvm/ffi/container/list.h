// SPDX-License-Identifier: Apache-2.0
// List, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/list.h"

namespace tvm::ffi {
using ::tain::List;
}  // namespace tvm::ffi
