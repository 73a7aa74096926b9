// SPDX-License-Identifier: Apache-2.0
// Module and its object class, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/module.h"
#include "tvm/ffi/container/array.h"
#include "tvm/ffi/container/map.h"
#include "tvm/ffi/extra/base.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/object.h"
#include "tvm/ffi/optional.h"

namespace tvm::ffi {
using ::tain::interop::ffi::Module;
using ::tain::interop::ffi::ModuleObj;
}  // namespace tvm::ffi
