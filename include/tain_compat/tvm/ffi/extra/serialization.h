// SPDX-License-Identifier: Apache-2.0
// Graphs of objects as plain values, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/serialization.h"
#include "tvm/ffi/extra/json.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/reflection/accessor.h"

namespace tvm::ffi {
using ::tain::interop::ffi::FromJSONGraph;
using ::tain::interop::ffi::ToJSONGraph;
}  // namespace tvm::ffi
