// SPDX-License-Identifier: Apache-2.0
// What parameters ask of tensors, and the errors of tensors.
#include <string>

#include "tain/internal/container_api.h"
#include "tensors/tensor_layout.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

/// Whether the elements, if there are any, lie at multiples of their size, so that code may read them
/// as what they are.
bool IsAligned(const DLTensor& tensor) noexcept {
  // A division takes longer than all other rules together, and vectors are rare.
  const auto item = static_cast<uint64_t>(ItemSize(tensor.dtype));
  const uint64_t number = TAIN_LIKELY(tensor.dtype.lanes == 1) ? item : item / tensor.dtype.lanes;
  const uint64_t part = tensor.dtype.code == kDLComplex ? number / 2 : number;
  if (part <= 1 || part > 16 || (part & (part - 1)) != 0) return true;
  const auto address = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
  return TAIN_LIKELY((address & (part - 1)) == 0) || NumElements(tensor) == 0;
}

bool HasExtents(const DLTensor& tensor, const TensorRules& rules) noexcept {
  if (rules.num_extents == 0) return true;
  if (tensor.ndim != rules.num_extents) return false;
  for (int32_t i = 0; i < rules.num_extents; ++i) {
    if (rules.extents[i] >= 0 && rules.extents[i] != tensor.shape[i]) return false;
  }
  return true;
}

/// Returns the shape that the rules ask for, with `*` for any extent.
std::string ExtentsText(const TensorRules& rules) {
  std::string text = "(";
  for (int32_t i = 0; i < rules.num_extents; ++i) {
    if (i > 0) text += ", ";
    text += rules.extents[i] < 0 ? "*" : std::to_string(rules.extents[i]);
  }
  return text + (rules.num_extents == 1 ? ",)" : ")");
}

/// Returns what the tensor must be: `a writable Tensor of float32 with 2 dimensions`. It mentions
/// the rules that the type of the parameter has; alignment and writing only if they are the cause.
std::string Expected(const TensorRules& rules, const DLTensor* tensor, bool read_only) {
  std::string text;
  if (tensor != nullptr && rules.writable && read_only) text += "writable ";
  if (tensor != nullptr && !IsAligned(*tensor)) text += "aligned ";
  if (rules.order == 'C') text += "row-major ";
  if (rules.order == 'F') text += "column-major ";
  text += "Tensor";
  if (rules.dtype.bits != 0) text += " of " + DTypeText(rules.dtype);
  if (rules.num_extents != 0) {
    text += " with shape " + ExtentsText(rules);
  } else if (rules.ndim >= 0) {
    text +=
        " with " + std::to_string(rules.ndim) + (rules.ndim == 1 ? " dimension" : " dimensions");
  }
  if (tensor != nullptr && rules.host_memory && !IsHostMemory(tensor->device)) {
    text += " in the memory of the processor";
  }
  if (rules.device_type != 0) {
    const std::string device = DeviceText({static_cast<DLDeviceType>(rules.device_type), 0});
    text += " on " + device.substr(0, device.find(':'));
  }
  return text;
}

/// Returns what is wrong with a tensor beside its type and shape: `, read-only`.
std::string Faults(const TensorRules& rules, const DLTensor& tensor, bool read_only) {
  std::string text;
  if (rules.writable && read_only) text += ", read-only";
  if (!IsAligned(tensor)) text += ", not aligned";
  if (rules.order != 0 && !IsDense(tensor, rules.order == 'C')) {
    text += ", strides " + ShapeText({tensor.strides, static_cast<size_t>(tensor.ndim)});
  }
  return text;
}

}  // namespace

bool FollowsRules(const TainAny* a, const TensorRules& rules) noexcept {
  const DLTensor* tensor = TensorIn(*a);
  if (TAIN_UNLIKELY(tensor == nullptr)) return false;
  if (rules.writable && TAIN_UNLIKELY(IsReadOnlyIn(*a))) return false;
  if (rules.dtype.bits != 0 && TAIN_UNLIKELY(!(tensor->dtype == rules.dtype))) return false;
  if (rules.ndim >= 0 && TAIN_UNLIKELY(tensor->ndim != rules.ndim)) return false;
  if (rules.host_memory && TAIN_UNLIKELY(!IsHostMemory(tensor->device))) return false;
  if (rules.device_type != 0 && int32_t{tensor->device.device_type} != rules.device_type) {
    return false;
  }
  if (rules.order != 0 && !IsDense(*tensor, rules.order == 'C')) return false;
  return HasExtents(*tensor, rules) && TAIN_LIKELY(IsAligned(*tensor));
}

Mismatch TensorMismatch(const TainAny* a, const TensorRules& rules) {
  const TainAny got = Referred(*a);
  if (const DLTensor* tensor = TensorIn(got)) {
    const bool read_only = IsReadOnlyIn(got);
    return Mismatch::Because(Expected(rules, tensor, read_only))
        .Got(GotTypeName(got) + " (" + TensorText(*tensor) + Faults(rules, *tensor, read_only) +
             ")");
  }
  Mismatch mismatch = Mismatch::Because(Expected(rules, nullptr, false));
  if (Any fault; FromHost(got, kTainHostTensorFault, &fault)) {
    return std::move(mismatch).Got(GotTypeName(got) + ": " + fault.cast<std::string>());
  }
  return mismatch;
}

void ThrowDimension(int64_t dimension, int32_t ndim) {
  TAIN_THROW(IndexError) << "Tensor: dimension " << dimension << " out of range for a tensor of "
                         << ndim << (ndim == 1 ? " dimension" : " dimensions");
}

void ThrowTensorIndex(int64_t index, int32_t dimension, int64_t extent) {
  TAIN_THROW(IndexError) << "Tensor index " << index << " out of range for dimension " << dimension
                         << " of extent " << extent;
}

void ThrowIndexCount(size_t count, int32_t ndim) {
  TAIN_THROW(IndexError) << "Tensor: expected " << ndim << (ndim == 1 ? " index" : " indices")
                         << ", got " << count;
}

void ThrowElementType(const DLTensor& tensor, DLDataType wanted) {
  TAIN_THROW(TypeError) << "Tensor: expected elements of type " << DTypeText(wanted) << ", got "
                        << DTypeText(tensor.dtype);
}

void ThrowReadOnly(const char* what) {
  TAIN_THROW(ValueError) << what << ": the tensor is read-only; ask for const elements to read it";
}

}  // namespace tain::internal
