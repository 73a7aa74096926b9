// SPDX-License-Identifier: Apache-2.0
// The conversions of types, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/convert.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/object.h"

namespace tvm::ffi {
using ::tain::TypeTraits;
}  // namespace tvm::ffi
