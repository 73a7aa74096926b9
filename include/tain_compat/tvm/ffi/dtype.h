// SPDX-License-Identifier: Apache-2.0
// The data type of DLPack, which has no class of its own in tain, and its names.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/dtype.h"
#include "tvm/ffi/base_detail.h"
#include "tvm/ffi/string.h"
#include "tvm/ffi/type_traits.h"

namespace tvm::ffi {
using ::DLDataType;
using ::tain::interop::ffi::DLDataTypeToString;
using ::tain::interop::ffi::StringToDLDataType;
}  // namespace tvm::ffi
