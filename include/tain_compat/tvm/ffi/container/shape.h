// SPDX-License-Identifier: Apache-2.0
// Shape, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/shape.h"

namespace tvm::ffi {
using ::tain::Shape;
}  // namespace tvm::ffi
