// SPDX-License-Identifier: Apache-2.0
// Any and AnyView, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/any.h"
#include "tain/convert.h"
#include "tvm/ffi/base_detail.h"

namespace tvm::ffi {
using ::tain::Any;
using ::tain::AnyView;
}  // namespace tvm::ffi
