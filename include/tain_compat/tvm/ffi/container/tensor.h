// SPDX-License-Identifier: Apache-2.0
// Tensor and TensorView, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/tensor.h"
#include "tvm/ffi/container/shape.h"
#include "tvm/ffi/device.h"
#include "tvm/ffi/dtype.h"
#include "tvm/ffi/error.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/string.h"
#include "tvm/ffi/type_traits.h"

namespace tvm::ffi {
using ::tain::ShapeView;
using ::tain::TensorObj;
using ::tain::TensorView;
using ::tain::interop::ffi::GetDataSize;
using ::tain::interop::ffi::IsAligned;
using ::tain::interop::ffi::IsContiguous;
using ::tain::interop::ffi::IsDirectAddressDevice;
using ::tain::interop::ffi::Tensor;
}  // namespace tvm::ffi
