// SPDX-License-Identifier: Apache-2.0
// All headers of tvm/ffi. Includes only.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/tain.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/cast.h"
#include "tvm/ffi/container/array.h"
#include "tvm/ffi/container/dict.h"
#include "tvm/ffi/container/list.h"
#include "tvm/ffi/container/map.h"
#include "tvm/ffi/container/shape.h"
#include "tvm/ffi/container/tensor.h"
#include "tvm/ffi/container/tuple.h"
#include "tvm/ffi/container/variant.h"
#include "tvm/ffi/dtype.h"
#include "tvm/ffi/error.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/memory.h"
#include "tvm/ffi/object.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/reflection/registry.h"
#include "tvm/ffi/string.h"
#include "tvm/ffi/type_traits.h"
