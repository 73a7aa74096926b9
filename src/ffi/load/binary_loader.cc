// SPDX-License-Identifier: Apache-2.0
// Loads a graph from the binary form; see binary_format.h.
//
// The nodes that are open are in a list, so nesting uses no C stack. Their values stand in the slots
// of GraphLoader or go to their containers at once. Memory is asked for as the data arrives, so a
// count alone allocates nothing.
#include <algorithm>
#include <cstring>
#include <set>

#include "base/error_object.h"
#include "base/file_path.h"
#include "base/guard.h"
#include "base/utf8.h"
#include "json/byte_stream.h"
#include "load/load_graph.h"
#include "load/load_value.h"
#include "load/mapped_file.h"
#include "save/binary_format.h"
#include "tain/graph/binary.h"
#include "tain/signals.h"
#include "values/container_detail.h"

namespace tain {
namespace internal {
namespace {

/// A type as the file describes it.
struct FileType {
  LoadType* type;
  std::vector<WireKind> wires;       ///< of the file's fields
  std::vector<int32_t> slots;        ///< of the file's fields, or -1
  std::vector<std::string> unknown;  ///< the names of fields whose slot is -1, at their places
  bool is_plain = false;             ///< the file has exactly the fields of the type
};

/// A node whose parts are being read.
struct OpenNode {
  enum class Kind : uint8_t { kObject, kData, kSequence, kMap } kind;
  const FileType* type = nullptr;
  Any made;
  Any key;                         ///< of the entry whose value is next
  std::vector<ExtraField> extras;  ///< values of fields that the type does not have
  uint64_t node = 0;
  uint64_t next = 0;
  uint64_t size = 0;  ///< parts
  size_t base = 0;    ///< the first slot
};

class BinaryLoader {
 public:
  BinaryLoader(ByteSource* source, const LoadOptions& options, MappedFile* mapped)
      : in_(*source), graph_("load_binary", options), mapped_(mapped) {}

  Any Run() {
    try {
      return Read();
    } catch (...) {
      graph_.Discard(nodes_);
      throw;
    }
  }

 private:
  Any Read() {
    if (!in_.InOnePiece(kBinaryMagic.size()) ||
        std::string_view(in_.next, kBinaryMagic.size() - 1) !=
            kBinaryMagic.substr(0, kBinaryMagic.size() - 1)) {
      Fail("the data was not made by save_binary");
    }
    in_.next += kBinaryMagic.size() - 1;
    if (*in_.next++ != kBinaryMagic.back()) Fail("this version of the format is not known");
    Any root = Value();
    while (!open_.empty()) {
      if (++steps_ % 4096 == 0) check_signals();
      root = Continue();
    }
    if (in_.More()) Fail("bytes follow after the end");
    graph_.Resolve(Target());
    return root;
  }

  std::function<const Any*(int64_t)> Target() {
    return [this](int64_t number) { return NodeAt(static_cast<uint64_t>(number)); };
  }

  [[noreturn]] void Fail(const std::string& what) {
    TAIN_THROW(ValueError) << "load_binary: byte " << in_.position() << ": " << what;
  }

  uint8_t Byte() {
    if (TAIN_UNLIKELY(!in_.More())) Fail("the data ends too early");
    return static_cast<uint8_t>(*in_.next++);
  }
  uint64_t Number() {
    const uint8_t first = Byte();
    if (TAIN_LIKELY(first < 128)) return first;
    uint64_t value = first & 127;
    for (unsigned shift = 7; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      if (shift == 63 && byte > 1) break;
      value |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    Fail("a number is beyond 64 bits");
  }
  uint64_t Bits(size_t size) {
    uint64_t value = 0;
    if (TAIN_UNLIKELY(!in_.InOnePiece(size))) Fail("the data ends too early");
    for (size_t i = 0; i < size; ++i) {
      value |= static_cast<uint64_t>(static_cast<unsigned char>(in_.next[i])) << (8 * i);
    }
    in_.next += size;
    return value;
  }
  double Double() {
    const uint64_t bits = Bits(8);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  /// Takes bytes. The result is valid until more is read.
  std::string_view Take(uint64_t size) {
    if (TAIN_LIKELY(size <= in_.known() || (size < (1U << 15) && in_.InOnePiece(size)))) {
      const std::string_view bytes(in_.next, size);
      in_.next += size;
      return bytes;
    }
    if (in_.is_whole()) Fail("the data ends too early");
    room_.clear();
    while (room_.size() < size) {
      if (!in_.More()) Fail("the data ends too early");
      const size_t part = std::min<uint64_t>(in_.known(), size - room_.size());
      room_.append(in_.next, part);
      in_.next += part;
    }
    return room_;
  }

  /// Takes a text, or finds it in the table.
  Any Text() {
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
  std::string TextString() { return Text().cast<std::string>(); }

  /// Returns a node that has been made, or null.
  const Any* NodeAt(uint64_t number) const noexcept {
    return number < nodes_.size() && nodes_[number].type_index() != kSlotMissing ? &nodes_[number]
                                                                                 : nullptr;
  }

  Any Node() {
    const uint64_t number = Number();
    if (number >= nodes_.size()) Fail("a reference to a node that does not stand before it");
    if (const Any* node = NodeAt(number)) {
      if (TAIN_UNLIKELY(IsOpen(number))) graph_.NoteOpen(*node);
      return *node;
    }
    return PendingSlot(static_cast<int64_t>(number));
  }

  // ---------------------------------------------------------------- open nodes

  bool IsOpen(uint64_t number) const noexcept {
    const auto at =
        std::lower_bound(open_.begin(), open_.end(), number,
                         [](const OpenNode& node, uint64_t one) { return node.node < one; });
    return at != open_.end() && at->node == number;
  }

  /// Reads parts of the top node until one of them opens a node, or the node ends. Returns the node
  /// if it ended and was the first one.
  Any Continue() {
    OpenNode* top = &open_.back();
    if (top->kind == OpenNode::Kind::kObject && top->type->is_plain) {
      if (!ContinuePlain(*top)) return {};
    }
    while (top->next < top->size) {
      const size_t depth = open_.size();
      if (++steps_ % 4096 == 0) check_signals();
      Any value =
          top->kind == OpenNode::Kind::kObject ? FieldValue(top->type->wires[top->next]) : Value();
      if (open_.size() != depth) return {};
      Accept(*top, std::move(value));
    }
    Any made = End(*top);
    open_.pop_back();
    if (open_.empty()) return made;
    Accept(open_.back(), std::move(made));
    return {};
  }

  /// Reads the fields of an object of which each has a slot. Returns false if one opened a node.
  bool ContinuePlain(OpenNode& node) {
    const FileType& type = *node.type;
    const uint64_t depth = open_.size();
    uint64_t next = node.next;
    for (; next < node.size; ++next) {
      Any value = FieldValue(type.wires[next]);
      if (open_.size() != depth) {
        open_[depth - 1].next = next;  // Accept counts the part when its node ends
        return false;
      }
      graph_.slots[node.base + static_cast<size_t>(type.slots[next])] = std::move(value);
    }
    node.next = next;
    return true;
  }

  Any FieldValue(WireKind wire) {
    TainAny value{};
    switch (wire) {
      case WireKind::kInt:
        value.type_index = kTainInt;
        value.v_int64 = UnfoldNumber(Number());
        return Any::Steal(value);
      case WireKind::kBool: {
        const uint8_t byte = Byte();
        if (byte > 1) Fail("a bool that is neither 0 nor 1");
        value.type_index = kTainBool;
        value.v_int64 = byte;
        return Any::Steal(value);
      }
      case WireKind::kDouble:
        value.v_float64 = Double();
        value.type_index = kTainFloat;
        return Any::Steal(value);
      case WireKind::kFloat: {
        const auto bits = static_cast<uint32_t>(Bits(4));
        float number = 0;
        std::memcpy(&number, &bits, sizeof number);
        value.v_float64 = static_cast<double>(number);
        value.type_index = kTainFloat;
        return Any::Steal(value);
      }
      case WireKind::kText: return Text();
      default: return Value();
    }
  }

  /// Gives a part to a node.
  void Accept(OpenNode& node, Any value) {
    const uint64_t part = node.next++;
    switch (node.kind) {
      case OpenNode::Kind::kObject: {
        const int32_t slot = node.type->slots[part];
        if (TAIN_LIKELY(slot >= 0)) {
          graph_.slots[node.base + static_cast<size_t>(slot)] = std::move(value);
          return;
        }
        if (IsPending(value)) Fail("a field that the type does not have refers to a later node");
        node.extras.push_back({node.type->unknown[part], std::move(value)});
        return;
      }
      case OpenNode::Kind::kSequence: return graph_.Push(node.made.data().v_obj, std::move(value));
      case OpenNode::Kind::kData: node.key = std::move(value); return;
      case OpenNode::Kind::kMap: break;
    }
    if (part % 2 == 0) {
      node.key = std::move(value);
    } else {
      graph_.SetEntry(node.made.data().v_obj, std::move(node.key), std::move(value));
    }
  }

  /// Ends a node and returns it.
  Any End(OpenNode& node) {
    LoadType* type = node.type == nullptr ? nullptr : node.type->type;
    switch (node.kind) {
      case OpenNode::Kind::kObject: {
        const bool was_made = node.made.type_index() != kSlotMissing;
        Any made = graph_.Finish(*type, std::move(node.made), node.base, &node.extras, node.node);
        was_made ? graph_.NoteEnd(made) : MadeLast(node.node, made);
        return made;
      }
      case OpenNode::Kind::kData: {
        Any made = graph_.FinishData(*type, node.key, node.node);
        MadeLast(node.node, made);
        return made;
      }
      default: graph_.NoteEnd(node.made); return std::move(node.made);
    }
  }

  /// Notes an object that was made when its node ended.
  void MadeLast(uint64_t number, const Any& made) {
    nodes_[number] = made;
    graph_.NoteMade(static_cast<int64_t>(number), Target());
  }

  OpenNode& Open(OpenNode::Kind kind, Any made, uint64_t size) {
    open_.emplace_back();
    OpenNode& node = open_.back();
    node.kind = kind;
    node.node = nodes_.size();
    node.size = size;
    nodes_.push_back(made);
    node.made = std::move(made);
    return node;
  }

  void OpenObject(const FileType& type) {
    OpenNode& node =
        Open(OpenNode::Kind::kObject, graph_.Begin(*type.type, nodes_.size()), type.wires.size());
    node.type = &type;
    node.base = graph_.slots.size();
    if (TAIN_LIKELY(type.is_plain)) return graph_.PushNones(*type.type);
    graph_.PushSlots(*type.type);
  }

  void OpenData(const FileType& type) {
    Open(OpenNode::Kind::kData, MissingSlot(), 1).type = &type;
  }

  /// Returns for how many elements memory is asked for at once: for no more in all containers
  /// together than there are bytes, because each container may announce all bytes that follow.
  uint64_t RoomFor(uint64_t count) noexcept {
    const uint64_t seen = in_.position() + in_.known();
    if (count > seen - std::min(seen, rooms_)) return std::min<uint64_t>(count, 4);
    rooms_ += count;
    return count;
  }

  void OpenContainer(int32_t type_index) {
    const uint64_t count = Number();
    const bool is_map = IsMap(type_index);
    const uint64_t size = is_map ? count * 2 : count;
    // Each part takes a byte at least.
    if ((is_map && count > UINT64_MAX / 2) || (in_.is_whole() && size > in_.known())) {
      Fail("a container of more elements than there are bytes");
    }
    const uint64_t room = RoomFor(count);
    TainAny view{};
    view.type_index = type_index;
    view.v_obj = is_map ? MapNew(type_index, room) : SeqNew(type_index, static_cast<int64_t>(room));
    Open(is_map ? OpenNode::Kind::kMap : OpenNode::Kind::kSequence, Any::Steal(view), size);
  }

  const FileType& NewType() {
    const std::string key = TextString();
    const uint64_t version = Number();
    if (version > INT64_MAX) Fail("a version beyond 63 bits");
    auto type = std::make_unique<FileType>();
    type->type = &graph_.TypeOf(key, static_cast<int64_t>(version), nodes_.size());
    const uint64_t count = Number();
    if (count > kMaxFields) Fail("a type of too many fields");
    std::set<std::string> names;  // a tree, because whoever wrote the data may choose the hashes
    for (uint64_t i = 0; i < count; ++i) {
      std::string name = TextString();
      const uint8_t wire = Byte();
      if (wire > static_cast<uint8_t>(WireKind::kText)) Fail("a field of an unknown kind");
      const int32_t slot = type->type->SlotOf(name);
      if (!names.insert(name).second) Fail("a field that occurs twice");
      type->wires.push_back(static_cast<WireKind>(wire));
      type->slots.push_back(slot);
      type->unknown.push_back(slot < 0 ? std::move(name) : std::string());
    }
    type->is_plain = count == type->type->fields.size() &&
                     std::find(type->slots.begin(), type->slots.end(), -1) == type->slots.end();
    types_.push_back(std::move(type));
    return *types_.back();
  }

  const FileType& TypeAt(uint64_t number) {
    if (number >= types_.size()) Fail("a type that was not described");
    return *types_[number];
  }

  // ---------------------------------------------------------------- values

  /// Reads a value. If it is a node with parts, opens the node and returns nothing of use.
  Any Value() {
    const uint8_t tag = Byte();
    if (tag >= kTagSmallInt) {
      TainAny value{};
      value.type_index = kTainInt;
      value.v_int64 = tag - kTagSmallInt;
      return Any::Steal(value);
    }
    if (tag >= kTagTypeFirst) {
      OpenObject(TypeAt(static_cast<uint64_t>(tag - kTagTypeFirst)));
      return {};
    }
    switch (tag) {
      case kTagText: return Text();
      case kTagNode: return Node();
      case kTagArray: OpenContainer(kTainArray); return {};
      case kTagList: OpenContainer(kTainList); return {};
      case kTagMap: OpenContainer(kTainMap); return {};
      case kTagDict: OpenContainer(kTainDict); return {};
      case kTagObject: OpenObject(TypeAt(Number())); return {};
      case kTagNewType: OpenObject(NewType()); return {};
      case kTagData: OpenData(TypeAt(Number())); return {};
      case kTagNewData: OpenData(NewType()); return {};
      case kTagTensor: return Tensor();
      case kTagEnum: return Member();
      default: return Leaf(tag);
    }
  }

  Any Leaf(uint8_t tag) {
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

  DLDataType DataType() {
    DLDataType type{};
    type.code = Byte();
    type.bits = Byte();
    type.lanes = static_cast<uint16_t>(Bits(2));
    return type;
  }

  Any Device() {
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

  Any Shape() {
    const uint64_t count = Number();
    std::vector<int64_t> extents;
    for (uint64_t i = 0; i < count; ++i) extents.push_back(UnfoldNumber(Number()));
    return MakeSavedShape(extents);
  }

  Any Member() {
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

  Any Tensor() {
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
    Any made = TensorOf(dtype, shape, Take(size));
    nodes_.push_back(made);
    return made;
  }

  Any TensorOf(DLDataType dtype, const std::vector<int64_t>& shape, std::string_view elements) {
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

  static constexpr uint64_t kMaxFields = 10000;
  static constexpr uint64_t kMaxDims = 64;
  ByteSource& in_;
  GraphLoader graph_;
  MappedFile* mapped_;  ///< where the bytes are, or null
  std::vector<OpenNode> open_;
  std::vector<Any> nodes_;
  std::vector<Any> texts_;
  std::vector<std::unique_ptr<FileType>> types_;
  std::string room_;    ///< of bytes that are not in one piece
  uint64_t rooms_ = 0;  ///< elements for which memory was asked for at once
  int64_t steps_ = 0;
};

}  // namespace
}  // namespace internal

Any LoadBinary(std::string_view bytes, const LoadOptions& options) {
  internal::ByteSource source(bytes);
  return internal::BinaryLoader(&source, options, nullptr).Run();
}
Any LoadBinary(const ReadBytes& read, const LoadOptions& options) {
  internal::ByteSource source(&read);
  return internal::BinaryLoader(&source, options, nullptr).Run();
}

Any LoadBinaryFile(const std::string& path, bool map, const LoadOptions& options) {
  internal::CheckFilePath(path, "load_binary");
  internal::OpenFile file(path);
  const std::unique_ptr<internal::MappedFile, internal::DropMappedFile> mapped(
      map ? internal::MappedFile::Of(file) : nullptr);
  if (mapped == nullptr) {  // in parts: a device has no end, and what it gives may be refused early
    return LoadBinary([&](char* out, size_t size) { return file.Read(out, size); }, options);
  }
  internal::ByteSource source(mapped->bytes());
  return internal::BinaryLoader(&source, options, mapped.get()).Run();
}

}  // namespace tain
