// SPDX-License-Identifier: Apache-2.0
// The declarations of DLPack, for sources that include them by this path.
#pragma once

#include "tain/interop/tvm_ffi/dlpack.h"
