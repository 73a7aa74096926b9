// SPDX-License-Identifier: Apache-2.0
// Objects from the values of their fields, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/creator.h"
#include "tvm/ffi/container/map.h"
#include "tvm/ffi/reflection/accessor.h"

namespace tvm::ffi::reflection {
using ::tain::interop::ffi::ObjectCreator;
}  // namespace tvm::ffi::reflection
