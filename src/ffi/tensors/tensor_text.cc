// SPDX-License-Identifier: Apache-2.0
// Texts of tensors, of their data types and devices; see tensor_text.h.
#include "tensors/tensor_text.h"

#include "tain/internal/device_kinds.h"

namespace tain::internal {

std::string ShapeText(ShapeView shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string DTypeText(DLDataType dtype) {
  TainAny text{};
  ThrowIfFailed(TainDataTypeToString(&dtype, &text));
  return Any::Steal(text).cast<std::string>();
}

std::string DeviceText(DLDevice device) {
  const char* name = TainDeviceTypeName(device.device_type);
  const std::string known =
      name == nullptr ? "device type " + std::to_string(int{device.device_type}) : name;
  return known + ":" + std::to_string(device.device_id);
}

std::string TensorText(const DLTensor& tensor) {
  std::string text = DTypeText(tensor.dtype) + ", shape " +
                     ShapeText({tensor.shape, static_cast<size_t>(tensor.ndim)});
  if (tensor.device.device_type != kDLCPU) text += ", " + DeviceText(tensor.device);
  return text;
}

}  // namespace tain::internal

const char* TainDeviceTypeName(int32_t device_type) noexcept {
  for (const tain::internal::DeviceKind& kind : tain::internal::kDeviceKinds) {
    if (kind.number == device_type) return kind.name;
  }
  return nullptr;
}
