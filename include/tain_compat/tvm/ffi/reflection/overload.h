// SPDX-License-Identifier: Apache-2.0
// ObjectDef of overloaded methods, which is ObjectDef.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/ffi/reflection/registry.h"

namespace tvm::ffi::reflection {
using ::tain::interop::ffi::OverloadObjectDef;
}  // namespace tvm::ffi::reflection
