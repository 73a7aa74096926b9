// SPDX-License-Identifier: Apache-2.0
// The C functions and types, for C and C++.
#pragma once

#include "tain/interop/tvm_ffi/c_api.h"
