// SPDX-License-Identifier: Apache-2.0
// Module and its object class, under the names of tvm::runtime.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/module.h"
#include "tvm/runtime/object.h"
#include "tvm/runtime/packed_func.h"

namespace tvm::runtime {
using ::tain::Module;
using ModuleNode = ::tain::ModuleObj;
}  // namespace tvm::runtime
