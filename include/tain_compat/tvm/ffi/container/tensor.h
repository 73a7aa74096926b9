// SPDX-License-Identifier: Apache-2.0
// Tensor and TensorView, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/tensor.h"

namespace tvm::ffi {
using ::tain::ShapeView;
using ::tain::Tensor;
using ::tain::TensorObj;
using ::tain::TensorView;
}  // namespace tvm::ffi
