// SPDX-License-Identifier: Apache-2.0
// Types of the standard library as parameters, results and fields.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/stl.h"
#include "tain/stl/complex.h"
#include "tvm/ffi/container/array.h"
#include "tvm/ffi/container/map.h"
#include "tvm/ffi/optional.h"
