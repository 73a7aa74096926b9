// SPDX-License-Identifier: Apache-2.0
// Reads numbers, texts and values without parts; see binary_reader.h.
#include "load/binary_reader.h"

#include "base/error_object.h"
#include "base/guard.h"
#include "base/utf8.h"
#include "load/load_value.h"
#include "save/binary_format.h"

namespace tain::internal {
namespace {

constexpr uint64_t kMaxDims = 64;

}  // namespace

void BinaryReader::Fail(const std::string& what) const {
  TAIN_THROW(ValueError) << "load_binary: byte " << source_.position() << ": " << what;
}

void BinaryReader::TakeMagic() {
  constexpr size_t kName = kBinaryMagic.size() - 1;  // the last byte is the version
  if (!source_.InOnePiece(kBinaryMagic.size()) ||
      std::string_view(source_.next, kName) != kBinaryMagic.substr(0, kName)) {
    Fail("the data was not made by save_binary");
  }
  source_.next += kName;
  if (*source_.next++ != kBinaryMagic.back()) Fail(kUnknownVersion);
}

std::string_view BinaryReader::TakeInParts(uint64_t size) {
  if (source_.is_whole()) Fail("the data ends too early");
  room_.clear();
  while (room_.size() < size) {
    if (!source_.More()) Fail("the data ends too early");
    const size_t part = std::min<uint64_t>(source_.known(), size - room_.size());
    room_.append(source_.next, part);
    source_.next += part;
  }
  return room_;
}

Any BinaryReader::Text() {
  const uint64_t place = Number();
  if (place != 0) {
    if (place > texts_.size()) Fail("a text that is not in the table");
    return texts_[place - 1];
  }
  const std::string_view text = Take(Number());
  if (TAIN_UNLIKELY(!IsText(text))) Fail("a text is not UTF-8");
  TainAny value{};
  MakeText(text, kTainSmallStr, kTainStr, &value);
  Any made = Any::Steal(value);
  if (!text.empty() && text.size() <= kMaxTableText) texts_.push_back(made);
  return made;
}
Any BinaryReader::Leaf(uint8_t tag) {
  TainAny value{};
  switch (tag) {
    case kTagNone: break;
    case kTagFalse:
    case kTagTrue:
      value.type_index = kTainBool;
      value.v_int64 = tag == kTagTrue ? 1 : 0;
      break;
    case kTagInt:
      value.v_int64 = UnfoldNumber(Number());
      value.type_index = kTainInt;
      break;
    case kTagFloat:
      value.v_float64 = Double();
      value.type_index = kTainFloat;
      break;
    case kTagBigInt: {
      const std::string_view bytes = Take(Number());
      const TainByteArray array{bytes.data(), bytes.size()};
      ThrowIfFailed(TainBigIntFromByteArray(&array, &value));
      break;
    }
    case kTagBytes: MakeText(Take(Number()), kTainSmallBytes, kTainBytes, &value); break;
    case kTagDataType: {
      const DLDataType dtype = DataType();
      TainAny name{};
      if (TainDataTypeToString(&dtype, &name) != 0) {
        TakeRaisedError();
        Fail("a data type of an unknown code");
      }
      const Any owned = Any::Steal(name);
      value.type_index = kTainDataType;
      value.v_dtype = dtype;
      break;
    }
    case kTagDevice: return Device();
    case kTagShape: return Shape();
    default: Fail("an unknown kind of value");
  }
  return Any::Steal(value);
}

DLDataType BinaryReader::DataType() {
  DLDataType type{};
  type.code = Byte();
  type.bits = Byte();
  type.lanes = static_cast<uint16_t>(Bits(2));
  return type;
}

Any BinaryReader::Device() {
  const uint64_t kind = Number();
  const uint64_t number = Number();
  if (kind > INT32_MAX || number > INT32_MAX ||
      TainDeviceTypeName(static_cast<int32_t>(kind)) == nullptr) {
    Fail("a device of an unknown kind");
  }
  TainAny value{};
  value.type_index = kTainDevice;
  value.v_device = {static_cast<DLDeviceType>(kind), static_cast<int32_t>(number)};
  return Any::Steal(value);
}

Any BinaryReader::Shape() {
  const uint64_t count = Number();
  std::vector<int64_t> extents;
  for (uint64_t i = 0; i < count; ++i) extents.push_back(UnfoldNumber(Number()));
  return MakeSavedShape(extents);
}

Any BinaryReader::Member() {
  const std::string key = TextString();
  const uint8_t tag = Byte();
  Any value = tag == kTagText       ? Text()
              : tag >= kTagSmallInt ? Any(int64_t{tag} - kTagSmallInt)
                                    : Leaf(tag);
  std::string fault;
  Any made = MakeSavedMember(key, value, &fault);
  if (!fault.empty()) Fail(fault);
  return made;
}

Any BinaryReader::Tensor() {
  const DLDataType dtype = DataType();
  const uint64_t ndim = Number();
  std::vector<int64_t> shape;
  if (ndim > kMaxDims) Fail("a tensor of too many dimensions");
  for (uint64_t i = 0; i < ndim; ++i) {
    const uint64_t extent = Number();
    if (extent > INT64_MAX) Fail("a tensor of too many elements");
    shape.push_back(static_cast<int64_t>(extent));
  }
  const uint64_t size = Number();
  Take(Byte());
  std::string fault;
  if (SavedTensorBytes(dtype, shape, &fault) != size && fault.empty()) {
    fault = "the size of a tensor does not fit its shape";
  }
  if (!fault.empty()) Fail(fault);
  return TensorOf(dtype, shape, Take(size));
}

Any BinaryReader::TensorOf(DLDataType dtype, const std::vector<int64_t>& shape,
                           std::string_view elements) {
  const bool is_aligned = reinterpret_cast<uintptr_t>(elements.data()) % kTensorAlignment == 0;
  if (mapped_ != nullptr && is_aligned && !elements.empty()) {
    mapped_->AddUser();
    try {
      return MakeTensorView(dtype, shape, const_cast<char*>(elements.data()), mapped_,
                            [](void* file) { static_cast<MappedFile*>(file)->DropUser(); });
    } catch (...) {
      mapped_->DropUser();
      throw;
    }
  }
  std::string fault;
  Any made = MakeSavedTensor(dtype, shape, elements, &fault);
  if (!fault.empty()) Fail(fault);
  return made;
}

}  // namespace tain::internal
