// SPDX-License-Identifier: Apache-2.0
// The registration of node types, under the names of tvm.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/runtime/object.h"
#include "tvm/runtime/packed_func.h"

#define TVM_REGISTER_NODE_TYPE TAIN_REGISTER_OBJECT_TYPE
