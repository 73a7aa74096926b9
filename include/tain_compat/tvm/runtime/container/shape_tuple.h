// SPDX-License-Identifier: Apache-2.0
// ShapeTuple, which is Shape.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/shape.h"
#include "tvm/runtime/object.h"

namespace tvm::runtime {
using ShapeTuple = ::tain::Shape;
}  // namespace tvm::runtime

namespace tvm {
using runtime::ShapeTuple;
}  // namespace tvm
