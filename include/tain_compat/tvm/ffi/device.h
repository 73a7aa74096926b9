// SPDX-License-Identifier: Apache-2.0
// The device of DLPack, which has no class of its own in tain.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/stl/ostream.h"
#include "tvm/ffi/base_detail.h"
#include "tvm/ffi/string.h"
#include "tvm/ffi/type_traits.h"

namespace tvm::ffi {
using ::DLDevice;
}  // namespace tvm::ffi
