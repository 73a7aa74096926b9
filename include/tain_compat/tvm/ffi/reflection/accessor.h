// SPDX-License-Identifier: Apache-2.0
// Access to fields and methods by their records, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/accessor.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/object.h"

namespace tvm::ffi::reflection {
using ::tain::interop::ffi::FieldGetter;
using ::tain::interop::ffi::FieldSetter;
using ::tain::interop::ffi::ForEachFieldInfo;
using ::tain::interop::ffi::ForEachFieldInfoWithEarlyStop;
using ::tain::interop::ffi::GetFieldInfo;
using ::tain::interop::ffi::GetMethod;
using ::tain::interop::ffi::GetMethodInfo;
using ::tain::interop::ffi::TypeAttrColumn;
}  // namespace tvm::ffi::reflection
