// SPDX-License-Identifier: Apache-2.0
// Optional, under the names of tvm.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/optional.h"
#include "tvm/runtime/object.h"

namespace tvm::runtime {
using ::tain::Optional;
}  // namespace tvm::runtime

namespace tvm {
using ::tain::Optional;
}  // namespace tvm
