// SPDX-License-Identifier: Apache-2.0
// Attributes and the frame of C functions, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/base.h"
#include "tain/reflection/register.h"

#define TVM_FFI_STATIC_INIT_BLOCK TAIN_STATIC_INIT_BLOCK
