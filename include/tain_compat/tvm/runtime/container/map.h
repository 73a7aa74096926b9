// SPDX-License-Identifier: Apache-2.0
// Map, under the names of tvm.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/container/map.h"
#include "tvm/runtime/object.h"

TAIN_INTERNAL_COMPAT(Map)
