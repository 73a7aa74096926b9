// SPDX-License-Identifier: Apache-2.0
// The nodes that saving has opened; see save_path.h.
#include "save/save_path.h"

#include <atomic>
#include <cstring>

#include "base/error_object.h"
#include "tain/internal/container_api.h"
#include "tensors/tensor_layout.h"
#include "tensors/tensor_text.h"

namespace tain::internal {
namespace {

/// Returns the step to the part of a node that is being written.
std::string StepOf(const SaveFrame& frame) {
  if (frame.next == 0) return "";
  const int64_t index = frame.next - 1;
  switch (frame.form) {
    case SaveForm::kFields:
      return "." + std::string(frame.type->fields[static_cast<size_t>(index)].name);
    case SaveForm::kSequence: return IndexPlace(index);
    case SaveForm::kData: return ".__data_to_json__()";
    default: break;
  }
  if (index % 2 == 0) return ".keys()" + IndexPlace(index / 2);
  const MapItem* item = MapItemOf(frame.object(), frame.place);
  return item == nullptr ? ".values()" + IndexPlace(index / 2) : KeyPlace(item->key);
}

/// Copies the elements of a tensor with gaps, in row-major order.
void CopyDense(const DLTensor& tensor, size_t item, char* out) {
  std::vector<int64_t> at(static_cast<size_t>(tensor.ndim), 0);
  const char* from = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  const int64_t count = NumElements(tensor);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(out, from, item);
    out += item;
    for (int32_t axis = tensor.ndim - 1; axis >= 0; --axis) {
      const int64_t step = tensor.strides[axis] * static_cast<int64_t>(item);
      from += step;
      if (++at[static_cast<size_t>(axis)] < tensor.shape[axis]) break;
      from -= step * tensor.shape[axis];
      at[static_cast<size_t>(axis)] = 0;
    }
  }
}

bool IsDense(const DLTensor& tensor) noexcept {
  int64_t wanted = 1;
  for (int32_t axis = tensor.ndim - 1; axis >= 0; --axis) {
    if (tensor.shape[axis] != 1 && tensor.strides != nullptr && tensor.strides[axis] != wanted) {
      return false;
    }
    wanted *= tensor.shape[axis];
  }
  return true;
}

}  // namespace

std::string SavePath(const std::vector<SaveFrame>& frames) {
  // A path of a million steps would be longer than useful: the first and the last steps are shown.
  constexpr size_t kEnds = 16;
  std::string path = "<root>";
  for (size_t i = 0; i < frames.size(); ++i) {
    if (frames.size() > 2 * kEnds && i == kEnds) {
      path += "...";
      i = frames.size() - kEnds;
    }
    path += StepOf(frames[i]);
  }
  return path;
}

bool HasHostClass(const TainObject* object) noexcept {
  const uint32_t word = std::atomic_ref<uint32_t>(const_cast<TainObject*>(object)->reserved)
                            .load(std::memory_order_acquire);
  if ((word & kTainHeaderHasPrefix) == 0) return true;
  const std::atomic_ref<uintptr_t> tie(TainObjectPrefixOf(object)->tie);
  return tie.load(std::memory_order_acquire) != 0;
}

std::string TensorTypeFault(DLDataType dtype) {
  const std::string numbers = "code " + std::to_string(dtype.code) + ", " +
                              std::to_string(dtype.bits) + " bits, " + std::to_string(dtype.lanes) +
                              " lanes";
  if (dtype.code == kDLOpaqueHandle) {
    return "a tensor of handles (" + numbers + ") can be neither saved nor loaded: its elements " +
           "are addresses";
  }
  TainAny made{};
  DLDataType same{};
  bool is_known = TainDataTypeToString(&dtype, &made) == 0;
  if (is_known) {
    const Any name = Any::Steal(made);
    std::string_view text;
    TextOf(&name.data(), &text);
    const TainByteArray bytes{text.data(), text.size()};
    is_known = TainDataTypeFromString(&bytes, &same) == 0;
  }
  if (!is_known) TakeRaisedError();
  if (!is_known || std::memcmp(&same, &dtype, sizeof(dtype)) != 0) {
    return "a tensor of an unknown data type (" + numbers + ")";
  }
  // As a signed number, whose sign identifies scalable vectors.
  if (static_cast<int16_t>(dtype.lanes) < 0) {
    return "a tensor of scalable vectors (" + numbers + ") has no size that is known";
  }
  return {};
}

std::string_view TensorBytes(const TainObject* tensor, std::string* room, std::string* refusal) {
  const DLTensor& dl = *reinterpret_cast<const DLTensor*>(tensor + 1);  // the header precedes it
  if (!IsHostMemory(dl.device)) {
    *refusal =
        "a tensor on " + DeviceText(dl.device) + " cannot be saved: copy it to the processor first";
    return {};
  }
  const TainTensorTail* tail = TensorTailOf(tensor);
  if (tail != nullptr && (tail->flags & kTainTensorExpired) != 0) {
    *refusal = "a tensor whose memory was lent for a call that is over cannot be saved";
    return {};
  }
  *refusal = TensorTypeFault(dl.dtype);
  if (!refusal->empty()) return {};
  const auto bytes = static_cast<size_t>(DenseBytes(dl.dtype, NumElements(dl)));
  if (bytes == 0) return {};
  if (IsDense(dl)) return {static_cast<const char*>(dl.data) + dl.byte_offset, bytes};
  const int64_t bits = int64_t{dl.dtype.bits} * dl.dtype.lanes;
  if (bits % 8 != 0) {
    *refusal = "a tensor of " + DTypeText(dl.dtype) + " with gaps between its rows cannot be saved";
    return {};
  }
  room->resize(bytes);
  CopyDense(dl, static_cast<size_t>(bits / 8), room->data());
  return *room;
}

}  // namespace tain::internal
