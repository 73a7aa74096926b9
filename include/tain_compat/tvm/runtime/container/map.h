// SPDX-License-Identifier: Apache-2.0
// Map, under the names of tvm.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/map.h"
#include "tvm/runtime/object.h"

namespace tvm::runtime {
using ::tain::Map;
}  // namespace tvm::runtime

namespace tvm {
using ::tain::Map;
}  // namespace tvm
