// SPDX-License-Identifier: Apache-2.0
// The data type of DLPack and its names.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/ffi/dtype.h"
