// SPDX-License-Identifier: Apache-2.0
// Structural comparison, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/graph/structural.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/reflection/accessor.h"

namespace tvm::ffi {
using ::tain::StructuralEqual;
}  // namespace tvm::ffi
