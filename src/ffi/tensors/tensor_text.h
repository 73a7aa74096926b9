// SPDX-License-Identifier: Apache-2.0
// Texts of tensors, of their data types and devices, for messages.
#pragma once

#include <string>

#include "tain/tensor.h"

namespace tain::internal {

/// Returns `(2, 3)`.
std::string ShapeText(ShapeView shape);
/// Returns `float32`.
std::string DTypeText(DLDataType dtype);
/// Returns `float32, shape (2, 3), cuda:0`, for messages; the processor is not mentioned.
std::string TensorText(const DLTensor& tensor);
/// Returns `cuda:0`.
std::string DeviceText(DLDevice device);

}  // namespace tain::internal
