// SPDX-License-Identifier: Apache-2.0
// Module and its object class, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/module.h"
#include "tvm/ffi/function.h"

namespace tvm::ffi {
using ::tain::Module;
using ::tain::ModuleObj;
}  // namespace tvm::ffi
