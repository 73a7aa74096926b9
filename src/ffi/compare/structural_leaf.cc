// SPDX-License-Identifier: Apache-2.0
// Equality and hash of values without parts; see structural_leaf.h.
#include "compare/structural_leaf.h"

#include <array>
#include <cstring>
#include <limits>

#include "tain/big_int.h"
#include "tain/container/shape.h"
#include "tain/internal/host_value.h"
#include "tensors/tensor_layout.h"
#include "tensors/tensor_text.h"

namespace tain::internal {
namespace {

template <class T>
uint64_t ReadNumber(const char* data) noexcept {
  T number;
  std::memcpy(&number, data, sizeof(T));
  return number;
}

/// Reads up to eight bytes as a little-endian number.
uint64_t ReadWord(const char* data, size_t size) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    if (size == 8) return ReadNumber<uint64_t>(data);
    if (size >= 4) {
      const uint64_t last = ReadNumber<uint32_t>(data + size - 4) >> (8 * (8 - size));
      return ReadNumber<uint32_t>(data) | last << 32;
    }
  }
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i) word |= ReadNumber<uint8_t>(data + i) << (8 * i);
  return word;
}

std::string_view WordsOf(const TainAny& big_int) noexcept {
  const TainByteArray bytes = TainBigIntGetContentByteArray(&big_int);
  return {bytes.data, bytes.size};
}

const TainShapeCell& ShapeOf(const TainAny& shape) noexcept {
  return *reinterpret_cast<const TainShapeCell*>(shape.v_obj + 1);  // it follows the header
}

// ---------------------------------------------------------------- tensors

/// Calls `use(bytes)` for the elements of a tensor in row-major order, in runs that lie together,
/// until `use` returns false.
template <class F>
void EachRun(const DLTensor& tensor, F&& use) {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor.ndim; ++i) count *= tensor.shape[i];
  if (count == 0) return;
  const char* const data = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  std::array<int64_t, kMaxTensorDims> index{};
  const int64_t item = DenseBytes(tensor.dtype, 1);
  int32_t outer = tensor.ndim;  // the dimensions from here on lie together
  int64_t run = 1;
  while (outer > 0 && (tensor.strides == nullptr || tensor.shape[outer - 1] == 1 ||
                       tensor.strides[outer - 1] == run)) {
    run *= tensor.shape[--outer];
  }
  if (outer == 0) {
    use(std::string_view(data, static_cast<size_t>(DenseBytes(tensor.dtype, count))));
    return;
  }
  const auto size = static_cast<size_t>(run * item);
  while (true) {
    int64_t at = 0;
    for (int32_t i = 0; i < outer; ++i) at += index[static_cast<size_t>(i)] * tensor.strides[i];
    if (!use(std::string_view(data + at * item, size))) return;
    int32_t dimension = outer - 1;
    while (dimension >= 0 && ++index[static_cast<size_t>(dimension)] == tensor.shape[dimension]) {
      index[static_cast<size_t>(dimension--)] = 0;
    }
    if (dimension < 0) return;
  }
}

/// Returns the elements in row-major order without gaps; copies them only if they have gaps.
std::string_view DenseElements(const DLTensor& tensor, std::string* copy) {
  std::string_view all;
  bool is_first = true;
  EachRun(tensor, [&](std::string_view run) {
    if (is_first) {
      all = run;
    } else {
      if (copy->empty()) copy->assign(all);
      copy->append(run);
    }
    is_first = false;
    return true;
  });
  return copy->empty() ? all : std::string_view(*copy);
}

/// Throws TypeError unless the elements can be read here and now.
void CheckReadable(const TainObject* tensor, const char* what) {
  const DLTensor& data = *DLTensorOf(tensor);
  if (!IsHostMemory(data.device)) {
    TAIN_THROW(TypeError) << what << " of a Tensor in the memory of " << DeviceText(data.device)
                          << ", which the processor cannot read: copy it to the processor";
  }
  const TainTensorTail* tail = TensorTailOf(tensor);
  if (tail != nullptr && (tail->flags & kTainTensorExpired) != 0) {
    TAIN_THROW(TypeError) << what << " of a Tensor whose memory was lent for a call that has ended";
  }
}

bool TensorsEqual(const TainObject* a, const TainObject* b, TensorContent content) {
  if (a == b) return true;
  const DLTensor& x = *DLTensorOf(a);
  const DLTensor& y = *DLTensorOf(b);
  if (x.ndim != y.ndim || std::memcmp(&x.dtype, &y.dtype, sizeof(DLDataType)) != 0) return false;
  for (int32_t i = 0; i < x.ndim; ++i) {
    if (x.shape[i] != y.shape[i]) return false;
  }
  if (content == TensorContent::kSkipped) return true;
  CheckReadable(a, "structural comparison");
  CheckReadable(b, "structural comparison");
  std::string copy_x, copy_y;
  const std::string_view left = DenseElements(x, &copy_x);
  return left == DenseElements(y, &copy_y);
}

uint64_t TensorHash(const TainObject* tensor, TensorContent content) {
  const DLTensor& data = *DLTensorOf(tensor);
  uint64_t hash = StableMix(kTainTensor, data.dtype.code);
  hash = StableMix(hash, uint64_t{data.dtype.bits} << 16 | data.dtype.lanes);
  for (int32_t i = 0; i < data.ndim; ++i) {
    hash = StableMix(hash, static_cast<uint64_t>(data.shape[i]));
  }
  if (content == TensorContent::kSkipped) return hash;
  CheckReadable(tensor, "structural hash");
  std::string copy;
  return StableMix(hash, StableTextHash(DenseElements(data, &copy)));
}

/// Returns the host's object in an opaque value; each crossing makes another opaque value.
const void* HandleOf(const TainAny& opaque) noexcept {
  return reinterpret_cast<const TainOpaqueCell*>(opaque.v_obj + 1)->handle;  // after the header
}

/// Whether two members of enums, which cross as values of the host, are the same member.
bool MembersEqual(const TainAny& a, const TainAny& b) {
  HostMember x, y;
  if (!HostMemberOf(a, &x) || !HostMemberOf(b, &y)) return false;
  const std::string_view key(x.info->key.data, x.info->key.size);
  return key == std::string_view(y.info->key.data, y.info->key.size) &&
         LeavesEqual(x.value, y.value);
}

}  // namespace

uint64_t StableTextHash(std::string_view text) noexcept {
  uint64_t hash = StableMix(kTainStr, text.size());
  for (; text.size() >= 8; text.remove_prefix(8)) hash = StableMix(hash, ReadWord(text.data(), 8));
  return text.empty() ? hash : StableMix(hash, ReadWord(text.data(), text.size()));
}

uint64_t StableFloatHash(double value) noexcept {
  const double same = value != value ? std::numeric_limits<double>::quiet_NaN() : value;
  return StableMix(kTainFloat, std::bit_cast<uint64_t>(same) & ~(uint64_t{value != value} << 63));
}

bool LeavesEqual(const TainAny& a, const TainAny& b, TensorContent content) {
  std::string_view x, y;
  if (TextOf(&a, &x)) return TextOf(&b, &y) && x == y;
  if (BytesOf(&a, &x)) return BytesOf(&b, &y) && x == y;
  if (a.type_index != b.type_index) return false;
  switch (a.type_index) {
    case kTainNone: return true;
    case kTainFloat: return FloatsSame(a.v_float64, b.v_float64);
    case kTainBigInt: return WordsOf(a) == WordsOf(b);
    case kTainTensor: return TensorsEqual(a.v_obj, b.v_obj, content);
    case kTainShape: {
      const TainShapeCell& left = ShapeOf(a);
      const TainShapeCell& right = ShapeOf(b);
      return left.size == right.size &&
             (left.size == 0 || std::memcmp(left.data, right.data, left.size * 8) == 0);
    }
    case kTainOpaquePyObject: return HandleOf(a) == HandleOf(b) || MembersEqual(a, b);
    default: return a.v_uint64 == b.v_uint64;
  }
}

uint64_t LeafHash(const TainAny& value, TensorContent content) {
  if (value.type_index == kTainInt) return StableIntHash(value.v_int64);
  std::string_view text;
  if (TextOf(&value, &text)) return StableTextHash(text);
  if (BytesOf(&value, &text)) return StableMix(kTainBytes, StableTextHash(text));
  const auto index = static_cast<uint64_t>(int64_t{value.type_index});
  switch (value.type_index) {
    case kTainNone: return StableMix(0, kTainNone);
    case kTainFloat: return StableFloatHash(value.v_float64);
    case kTainDataType:
      return StableMix(StableMix(index, value.v_dtype.code),
                       uint64_t{value.v_dtype.bits} << 16 | value.v_dtype.lanes);
    case kTainDevice:
      return StableMix(StableMix(index, static_cast<uint64_t>(value.v_device.device_type)),
                       static_cast<uint64_t>(int64_t{value.v_device.device_id}));
    case kTainBigInt: return StableMix(index, StableTextHash(WordsOf(value)));
    case kTainTensor: return TensorHash(value.v_obj, content);
    case kTainShape: {
      uint64_t hash = StableMix(index, ShapeOf(value).size);
      for (size_t i = 0; i < ShapeOf(value).size; ++i) {
        hash = StableMix(hash, static_cast<uint64_t>(ShapeOf(value).data[i]));
      }
      return hash;
    }
    case kTainOpaquePyObject: {
      HostMember member;
      if (!HostMemberOf(value, &member)) {
        return StableMix(index, reinterpret_cast<uintptr_t>(HandleOf(value)));
      }
      const std::string_view key(member.info->key.data, member.info->key.size);
      return StableMix(StableTextHash(key), LeafHash(member.value));
    }
    default: return StableMix(index, value.v_uint64);  // bool; what goes by identity
  }
}

}  // namespace tain::internal
