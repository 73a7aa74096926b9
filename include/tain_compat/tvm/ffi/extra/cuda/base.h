// SPDX-License-Identifier: Apache-2.0
// The check of calls of the CUDA runtime.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/device_guard.h"
#include "tvm/ffi/error.h"
