// SPDX-License-Identifier: Apache-2.0
// make_object, under the name of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/ffi/object.h"
