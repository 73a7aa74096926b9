// SPDX-License-Identifier: Apache-2.0
// ObjectDef, GlobalDef and what registers a type, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/reflection/arg.h"
#include "tain/reflection/global_def.h"
#include "tain/reflection/object_def.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/object.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/string.h"

namespace tvm::ffi::reflection {
using namespace ::tain::reflection;
}  // namespace tvm::ffi::reflection

#define TVM_FFI_STATIC_INIT_BLOCK TAIN_STATIC_INIT_BLOCK
