// SPDX-License-Identifier: Apache-2.0
// Conversions between handle classes, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/convert.h"
#include "tvm/ffi/object.h"

namespace tvm::ffi {
using ::tain::Downcast;
}  // namespace tvm::ffi
