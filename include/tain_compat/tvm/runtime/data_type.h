// SPDX-License-Identifier: Apache-2.0
// DataType, which is the DLDataType of DLPack.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/convert.h"

namespace tvm::runtime {
using DataType = ::DLDataType;
}  // namespace tvm::runtime

namespace tvm {
using runtime::DataType;
}  // namespace tvm
