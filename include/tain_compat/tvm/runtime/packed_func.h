// SPDX-License-Identifier: Apache-2.0
// Packed functions, under the names of tvm::runtime.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/packed_func.h"
#include "tvm/runtime/container/array.h"
#include "tvm/runtime/container/map.h"
#include "tvm/runtime/container/optional.h"
#include "tvm/runtime/container/shape_tuple.h"
#include "tvm/runtime/container/string.h"
#include "tvm/runtime/data_type.h"
#include "tvm/runtime/object.h"

namespace tvm::runtime {
using ::tain::PackedFunc;
using ::tain::TypedPackedFunc;
using TVMArgs = ::tain::PackedArgs;
using TVMArgValue = ::tain::ArgValue;
using TVMRetValue = ::tain::RetValue;
}  // namespace tvm::runtime

namespace tvm {
using runtime::PackedFunc;
using runtime::TVMArgs;
using runtime::TVMArgValue;
using runtime::TVMRetValue;
using runtime::TypedPackedFunc;
}  // namespace tvm
