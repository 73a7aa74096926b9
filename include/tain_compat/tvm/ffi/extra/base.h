// SPDX-License-Identifier: Apache-2.0
// The attributes of the headers of tvm/ffi/extra.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/ffi/base_detail.h"
