// SPDX-License-Identifier: Apache-2.0
// Function and TypedFunction, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/packed_func.h"
#include "tain/reflection/export.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/error.h"

namespace tvm::ffi {
using ::tain::Function;
using ::tain::PackedArgs;
using ::tain::TypedFunction;
}  // namespace tvm::ffi

#define TVM_FFI_DLL_EXPORT_TYPED_FUNC TAIN_EXPORT
