// SPDX-License-Identifier: Apache-2.0
// String, under the names of tvm.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/convert.h"
#include "tvm/runtime/object.h"

TAIN_INTERNAL_COMPAT(String)
