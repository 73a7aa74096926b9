// SPDX-License-Identifier: Apache-2.0
// Function and TypedFunction, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/export.h"
#include "tain/packed_func.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/base_detail.h"
#include "tvm/ffi/error.h"
#include "tvm/ffi/expected.h"
#include "tvm/ffi/object.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/string.h"
#include "tvm/ffi/type_traits.h"

namespace tvm::ffi {
using ::tain::Function;
using ::tain::FunctionObj;
using ::tain::PackedArgs;
using ::tain::TypedFunction;
using ::tain::interop::ffi::TypeKeyToIndex;
}  // namespace tvm::ffi
