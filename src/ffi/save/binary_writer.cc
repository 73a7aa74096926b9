// SPDX-License-Identifier: Apache-2.0
// Writes a graph in the binary form; see binary_format.h.
#include <array>

#include "base/guard.h"
#include "save/binary_format.h"
#include "save/save_walk.h"
#include "save/text_table.h"
#include "tain/big_int.h"
#include "tain/graph/binary.h"

namespace tain {
namespace internal {
namespace {

class BinaryWriter : public SaveWalk<BinaryWriter> {
 public:
  BinaryWriter(const WriteBytes* write, const SaveOptions& options)
      : SaveWalk("save_binary", write, options), out_(sink_.buffer()) {}

  std::string Run(const TainAny& root) {
    out_ = kBinaryMagic;
    Walk(root);
    sink_.Flush();
    return std::move(out_);
  }

 private:
  friend class SaveWalk<BinaryWriter>;

  void Byte(uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void Number(uint64_t value) {
    if (TAIN_LIKELY(value < 128)) return Byte(static_cast<uint8_t>(value));
    std::array<char, 10> room;
    out_.append(room.data(), PutNumber(value, room.data()));
  }
  void Tagged(BinaryTag tag, uint64_t value) {
    std::array<char, 11> room;
    room[0] = static_cast<char>(tag);
    out_.append(room.data(), 1 + PutNumber(value, &room[1]));
  }
  /// Stores a number and returns how many bytes it takes.
  static size_t PutNumber(uint64_t value, char* out) noexcept {
    size_t size = 0;
    while (value >= 128) {
      out[size++] = static_cast<char>(value | 128);
      value >>= 7;
    }
    out[size++] = static_cast<char>(value);
    return size;
  }
  void Bits(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) Byte(static_cast<uint8_t>(value >> (8 * i)));
  }
  void Sized(std::string_view bytes) {
    Number(bytes.size());
    sink_.Write(bytes);
  }

  void Text(std::string_view text) {
    CheckText(text);
    if (!text.empty() && text.size() <= kMaxTableText) {
      const uint64_t place = texts_.Find(text);
      Number(place);
      if (place != 0) return;
    } else {
      Number(0);
    }
    Sized(text);
  }

  void Double(double value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    Bits(bits, 8);
  }

  void Leaf(const TainAny& value) {
    if (wire_ != WireKind::kTagged && WroteByField(value)) return;
    switch (value.type_index) {
      case kTainNone: return Byte(kTagNone);
      case kTainBool: return Byte(value.v_int64 != 0 ? kTagTrue : kTagFalse);
      case kTainInt: return Int(value.v_int64);
      case kTainFloat: Byte(kTagFloat); return Double(value.v_float64);
      case kTainSmallStr: Byte(kTagText); return Text({value.v_bytes, value.small_str_len});
      case kTainStr: Byte(kTagText); return Text(ViewOf(value));
      case kTainRawStr: Byte(kTagText); return Text(value.v_c_str);
      case kTainSmallBytes: Byte(kTagBytes); return Sized({value.v_bytes, value.small_str_len});
      case kTainBytes: Byte(kTagBytes); return Sized(ViewOf(value));
      case kTainDataType: Byte(kTagDataType); return DataType(value.v_dtype);
      case kTainDevice:
        Tagged(kTagDevice, static_cast<uint64_t>(value.v_device.device_type));
        return Number(static_cast<uint64_t>(static_cast<uint32_t>(value.v_device.device_id)));
      case kTainShape: return Shape(value.v_obj);
      case kTainBigInt: Byte(kTagBigInt); return Sized(View(TainBigIntGetContentByteArray(&value)));
      case kTainOpaquePtr: Refuse("an address cannot be saved");
      default: Refuse("a value of type " + TypeNameOf(value) + " cannot be saved");
    }
  }

  static std::string_view ViewOf(const TainAny& value) noexcept {
    return View(*reinterpret_cast<const TainByteArray*>(value.v_obj + 1));  // after the header
  }

  /// Writes a value without a tag if the field of the top node says what it is.
  bool WroteByField(const TainAny& value) {
    const WireKind wire = std::exchange(wire_, WireKind::kTagged);
    switch (wire) {
      case WireKind::kInt: Number(FoldNumber(value.v_int64)); return true;
      case WireKind::kBool: Byte(value.v_int64 != 0 ? 1 : 0); return true;
      case WireKind::kDouble: Double(value.v_float64); return true;
      case WireKind::kFloat: {
        const auto number = static_cast<float>(value.v_float64);
        uint32_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        Bits(bits, 4);
        return true;
      }
      case WireKind::kText:
        Text(value.type_index == kTainStr ? ViewOf(value)
                                          : std::string_view(value.v_bytes, value.small_str_len));
        return true;
      default: return false;
    }
  }

  void Int(int64_t value) {
    if (value >= 0 && value < kTagSmallInts) {
      return Byte(static_cast<uint8_t>(kTagSmallInt + value));
    }
    Tagged(kTagInt, FoldNumber(value));
  }

  void DataType(DLDataType type) {
    Byte(type.code);
    Byte(type.bits);
    Bits(type.lanes, 2);
  }

  void Shape(const TainObject* shape) {
    const auto* cell = reinterpret_cast<const TainShapeCell*>(shape + 1);  // after the header
    Tagged(kTagShape, cell->size);
    for (size_t i = 0; i < cell->size; ++i) Number(FoldNumber(cell->data[i]));
  }

  void Member(const TainEnumInfo& info, const TainAny& value) {
    wire_ = WireKind::kTagged;
    Byte(kTagEnum);
    Text(View(info.key));
    Leaf(value);
  }

  void Reference(SavedNode* node) {
    wire_ = WireKind::kTagged;
    Tagged(kTagNode, static_cast<uint64_t>(node->number));
  }

  void Begin(SaveFrame& frame) {
    wire_ = WireKind::kTagged;
    const auto number = static_cast<int64_t>(num_nodes_++);
    if (frame.known != nullptr) frame.known->number = number;
    sink_.FlushIfFull();
  }

  void Open(SaveFrame& frame) {
    Begin(frame);
    switch (frame.object()->type_index) {
      case kTainArray: return Tagged(kTagArray, static_cast<uint64_t>(frame.size));
      case kTainList: return Tagged(kTagList, static_cast<uint64_t>(frame.size));
      case kTainMap: return Tagged(kTagMap, static_cast<uint64_t>(frame.size / 2));
      case kTainDict: return Tagged(kTagDict, static_cast<uint64_t>(frame.size / 2));
      default: break;
    }
    SaveType& type = *frame.type;
    const bool is_data = frame.form == SaveForm::kData;
    if (type.number < 0) return NewType(&type, is_data);
    const auto number = static_cast<uint64_t>(type.number);
    if (is_data) return Tagged(kTagData, number);
    if (number < kTagTypes) return Byte(static_cast<uint8_t>(kTagTypeFirst + number));
    Tagged(kTagObject, number);
  }

  void NewType(SaveType* type, bool is_data) {
    type->number = num_types_++;
    Byte(is_data ? kTagNewData : kTagNewType);
    Text(type->key);
    Number(static_cast<uint64_t>(type->version));
    Number(type->fields.size());
    for (const SaveField& field : type->fields) {
      Text(field.name);
      Byte(static_cast<uint8_t>(field.wire));
    }
  }

  void BeforePart(const SaveFrame& frame) {
    wire_ = frame.form != SaveForm::kFields
                ? WireKind::kTagged
                : frame.type->fields[static_cast<size_t>(frame.next - 1)].wire;
  }

  void Close(const SaveFrame&) { sink_.FlushIfFull(); }

  void SaveTensor(SaveFrame& frame) {
    const TainObject* tensor = frame.object();
    std::string room, refusal;
    const std::string_view bytes = TensorBytes(tensor, &room, &refusal);
    if (!refusal.empty()) Refuse(refusal);
    Begin(frame);
    const DLTensor& dl = *reinterpret_cast<const DLTensor*>(tensor + 1);  // after the header
    Byte(kTagTensor);
    DataType(dl.dtype);
    Number(static_cast<uint64_t>(dl.ndim));
    for (int32_t i = 0; i < dl.ndim; ++i) Number(static_cast<uint64_t>(dl.shape[i]));
    Number(bytes.size());
    const uint64_t gap =
        (kTensorAlignment - (sink_.position() + 1) % kTensorAlignment) % kTensorAlignment;
    Byte(static_cast<uint8_t>(gap));
    out_.append(gap, '\0');
    sink_.Write(bytes);
  }

  std::string& out_;
  WireKind wire_ = WireKind::kTagged;  ///< of the next value
  TextTable texts_;
  int64_t num_types_ = 0;
};

}  // namespace
}  // namespace internal

std::string SaveBinary(AnyView value, const SaveOptions& options) {
  return internal::BinaryWriter(nullptr, options).Run(value.data());
}
void SaveBinary(AnyView value, const WriteBytes& write, const SaveOptions& options) {
  internal::BinaryWriter(&write, options).Run(value.data());
}

}  // namespace tain
