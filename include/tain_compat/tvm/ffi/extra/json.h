// SPDX-License-Identifier: Apache-2.0
// JSON text of plain values, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/json.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/container/array.h"
#include "tvm/ffi/container/map.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/string.h"

namespace tvm::ffi::json {
using namespace ::tain::interop::ffi::json;
}  // namespace tvm::ffi::json
