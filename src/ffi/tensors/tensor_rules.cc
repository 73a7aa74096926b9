// SPDX-License-Identifier: Apache-2.0
// The demands of parameters on tensors, and the errors of tensors.
#include <string>

#include "base/unlocked_call.h"
#include "tain/internal/container_api.h"
#include "tensors/tensor_text.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

/// Returns the name of a C++ class without its namespaces.
std::string_view BareName(std::string_view name) noexcept {
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

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

/// Returns the extents that the rules ask for, with `*` for any extent.
std::string ExtentsText(const TensorRules& rules, const char* between) {
  std::string text;
  for (int32_t i = 0; i < rules.num_extents; ++i) {
    text += i > 0 ? between : "";
    text += rules.extents[i] < 0 ? "*" : std::to_string(rules.extents[i]);
  }
  return text;
}

/// Returns the device that the rules ask for, without a number.
std::string DeviceKindText(const TensorRules& rules) {
  const std::string device = DeviceText({static_cast<DLDeviceType>(rules.device_type), 0});
  return device.substr(0, device.find(':'));
}

/// Returns `struct Star (x float64, id int32[3])`.
std::string StructText(const StructLayout& layout) {
  std::string text = "struct " + std::string(BareName(layout.name)) + " (";
  for (int32_t i = 0; i < layout.num_fields; ++i) {
    const StructField& field = layout.fields[i];
    text += (i > 0 ? ", " : "") + std::string(field.name) + " " + DTypeText(field.dtype);
    if (field.count != 0) text += "[" + std::to_string(field.count) + "]";
  }
  return text + ")";
}

/// Returns what the tensor must be: `a writable Tensor of float32 with 2 dimensions`. It mentions
/// the rules that the type of the parameter has; alignment and writing only if they are the cause.
std::string Expected(const TensorRules& rules, const DLTensor* tensor, bool read_only) {
  std::string text;
  if (tensor != nullptr && rules.writable && read_only) text += "writable ";
  if (tensor != nullptr && !IsAligned(*tensor)) text += "aligned ";
  if (rules.order == 'C') text += "row-major ";
  if (rules.order == 'F') text += "column-major ";
  text += rules.converts ? "ArrayLike" : "Tensor";
  if (rules.layout != nullptr) {
    text += " of " + StructText(*rules.layout);
  } else if (rules.dtype.bits != 0) {
    text += " of " + DTypeText(rules.dtype);
  }
  if (rules.num_extents != 0) {
    text += " with shape (" + ExtentsText(rules, ", ") + (rules.num_extents == 1 ? ",)" : ")");
  } else if (rules.ndim >= 0) {
    text +=
        " with " + std::to_string(rules.ndim) + (rules.ndim == 1 ? " dimension" : " dimensions");
  }
  if (tensor != nullptr && rules.host_memory && !IsHostMemory(tensor->device)) {
    text += " in the memory of the processor";
  }
  if (rules.device_type != 0) text += " on " + DeviceKindText(rules);
  return text;
}

/// Returns what is wrong with a tensor beside its type and shape: `, read-only`.
std::string FaultsOf(const TensorRules& rules, const DLTensor& tensor, bool read_only) {
  std::string text;
  if (rules.writable && read_only) text += ", read-only";
  if (!IsAligned(tensor)) text += ", not aligned";
  if (rules.order != 0 && !IsDense(tensor, rules.order == 'C')) {
    text += ", strides " + ShapeText({tensor.strides, static_cast<size_t>(tensor.ndim)});
  }
  return text;
}

/// Asks the host for a form of a value that it knows, or of one that it gets as a sequence.
bool AskHost(const TainAny& a, TainHostForm form, const TensorRules& rules, Any* out) {
  if (!IsHostValue(a) && !IsSeq(a.type_index)) return false;
  TainAny value{};
  value.v_ptr = const_cast<TensorRules*>(&rules);  // a value has no const form
  return internal::AskHost(a.v_obj, form, value, out);
}

/// Whether the elements of a tensor may be read by the processor, or the value is no tensor.
bool MayBeConverted(const TainAny& a, const TensorRules& rules) noexcept {
  const DLTensor* tensor = TensorIn(a);
  return rules.makes() && (tensor == nullptr || IsHostMemory(tensor->device));
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

bool MakeFollowRules(const TainAny& a, const TensorRules& rules, Any* out) {
  return MayBeConverted(a, rules) && AskHost(a, kTainHostRuled, rules, out) &&
         FollowsRules(&out->data(), rules);
}

std::string RulesText(const TensorRules& rules) {
  std::string parts;
  const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : ", ") + part; };
  if (rules.layout != nullptr) {
    add(std::string(BareName(rules.layout->name)));
  } else if (rules.dtype.bits != 0) {
    add(DTypeText(rules.dtype));
  }
  if (rules.num_extents != 0) {
    add("shape=" + ExtentsText(rules, "x"));
  } else if (rules.ndim >= 0) {
    add("ndim=" + std::to_string(rules.ndim));
  }
  if (rules.order != 0) add(std::string("order=") + static_cast<char>(rules.order));
  if (rules.device_type != 0) add("device=" + DeviceKindText(rules));
  if (rules.writable) add("writable");
  const std::string name = rules.converts ? "ArrayLike" : "Tensor";
  return parts.empty() ? name : name + "[" + parts + "]";
}

Mismatch TensorMismatch(const TainAny* a, const TensorRules& rules) {
  const TainAny got = Referred(*a);
  Any fault;
  if (MayBeConverted(got, rules) && AskHost(got, kTainHostRuledFault, rules, &fault)) {
    return Mismatch::Because(Expected(rules, nullptr, false))
        .Got(GotTypeName(got) + ": " + fault.cast<std::string>());
  }
  if (const DLTensor* tensor = TensorIn(got)) {
    const bool read_only = IsReadOnlyIn(got);
    return Mismatch::Because(Expected(rules, tensor, read_only))
        .Got(GotTypeName(got) + " (" + TensorText(*tensor) + FaultsOf(rules, *tensor, read_only) +
             ")");
  }
  Mismatch mismatch = Mismatch::Because(Expected(rules, nullptr, false));
  if (FromHost(got, kTainHostTensorFault, &fault)) {
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
