// SPDX-License-Identifier: Apache-2.0
// Copies, text and comparison of objects, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/dataclass.h"
#include "tain/stl/ostream.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/container/variant.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/reflection/accessor.h"
#include "tvm/ffi/string.h"

namespace tvm::ffi {
using ::tain::DeepCopy;
using ::tain::interop::ffi::RecursiveEq;
using ::tain::interop::ffi::RecursiveHash;
using ::tain::interop::ffi::ReprPrint;
}  // namespace tvm::ffi
