// SPDX-License-Identifier: Apache-2.0
// The C functions of the environment, for C and C++.
#pragma once

#include "tain/interop/tvm_ffi/c_env_api.h"
