// SPDX-License-Identifier: Apache-2.0
// Makes values from saved data; see load_value.h.
#include "load/load_value.h"

#include <cstring>

#include "base/error_object.h"
#include "base/guard.h"
#include "base/text_repr.h"
#include "save/save_path.h"
#include "tain/container/shape.h"
#include "tain/internal/container_api.h"
#include "tensors/tensor_layout.h"

namespace tain::internal {
namespace {

/// The reference to a view's memory that a tensor holds.
struct ViewOwner {
  void* owner;
  void (*release)(void* owner);
};

}  // namespace

DLDataType DataTypeOfName(std::string_view name, std::string* fault) {
  DLDataType dtype{};
  const TainByteArray bytes{name.data(), name.size()};
  if (TainDataTypeFromString(&bytes, &dtype) == 0) return dtype;
  internal::TakeRaisedError();
  std::string shown;
  AppendStrRepr(Utf8Prefix(name, 200), &shown);
  *fault = shown + " is no data type";
  return dtype;
}

bool DeviceOfName(std::string_view name, DLDeviceType* out) noexcept {
  constexpr int32_t kMost = 64;
  for (int32_t kind = 1; kind < kMost; ++kind) {
    const char* known = TainDeviceTypeName(kind);
    if (known == nullptr || name != known) continue;
    *out = static_cast<DLDeviceType>(kind);
    return true;
  }
  return false;
}

Any MakeSavedShape(const std::vector<int64_t>& extents) {
  return Any::Steal(ViewOfObject(ShapeNew(extents.data(), extents.size())));
}

uint64_t SavedTensorBytes(DLDataType dtype, const std::vector<int64_t>& shape, std::string* fault) {
  *fault = TensorTypeFault(dtype);
  if (!fault->empty()) return 0;
  if (shape.size() > static_cast<size_t>(kMaxTensorDims)) {
    *fault = "a tensor of too many dimensions";
    return 0;
  }
  try {
    CheckLayout(static_cast<int32_t>(shape.size()), shape.data(), nullptr, dtype);
  } catch (const Error& error) {
    *fault = error.message();
    return 0;
  }
  DLTensor prototype{};
  prototype.ndim = static_cast<int32_t>(shape.size());
  prototype.shape = const_cast<int64_t*>(shape.data());  // only read
  return static_cast<uint64_t>(DenseBytes(dtype, NumElements(prototype)));
}

Any MakeSavedTensor(DLDataType dtype, const std::vector<int64_t>& shape, std::string_view elements,
                    std::string* fault) {
  if (!fault->empty()) return {};
  const uint64_t wanted = SavedTensorBytes(dtype, shape, fault);
  if (!fault->empty()) return {};
  if (wanted != elements.size()) {
    *fault = "a tensor needs " + std::to_string(wanted) + " bytes, but the data has " +
             std::to_string(elements.size());
    return {};
  }
  const DLDevice device{kDLCPU, 0};
  ObjectPtr<TensorObj> made = AllocateTensor(ShapeView(shape.data(), shape.size()), dtype, device);
  if (!elements.empty()) std::memcpy(made->data, elements.data(), elements.size());
  return Any(std::move(made));
}

Any MakeTensorView(DLDataType dtype, const std::vector<int64_t>& shape, void* elements, void* owner,
                   void (*release)(void* owner)) {
  DLTensor prototype{};
  prototype.data = elements;
  prototype.device = {kDLCPU, 0};
  prototype.ndim = static_cast<int32_t>(shape.size());
  prototype.dtype = dtype;
  prototype.shape = const_cast<int64_t*>(shape.data());  // only read
  auto holder = std::make_unique<ViewOwner>(ViewOwner{owner, release});
  TainTensorTail tail{};
  ObjectPtr<TensorObj> made = MakeTensor(prototype, tail);
  made->tail.owner = holder.release();
  made->tail.release = [](TainTensorTail* self) {
    const std::unique_ptr<ViewOwner> held(static_cast<ViewOwner*>(self->owner));
    held->release(held->owner);
  };
  return Any(std::move(made));
}

Any MakeSavedMember(std::string_view key, const Any& value, std::string* fault) {
  const TainByteArray bytes{key.data(), key.size()};
  const TainEnumInfo* info = TainGetEnum(&bytes);
  std::string shown;
  AppendStrRepr(Utf8Prefix(key, 200), &shown);
  if (info == nullptr) {
    *fault = "the enum " + shown + " is not registered";
    return {};
  }
  int64_t number = 0;
  if (value.type_index() < 0 || !EnumFromAny(info, &value.data(), &number)) {
    *fault = "the enum " + shown + " has no such member";
    return {};
  }
  const HostSaving* host = SavingHost();
  if (host == nullptr) return value;
  TainAny made{};
  ThrowIfFailed(host->member_of(info, &value.data(), &made));
  return Any::Steal(made);
}

}  // namespace tain::internal
