// SPDX-License-Identifier: Apache-2.0
// Loads a graph from the binary form; see binary_format.h.
//
// The nodes that are open are in a list, so nesting uses no C stack. Their values stand in the slots
// of GraphLoader or go to their containers at once. Memory is asked for as the data arrives, so a
// count alone allocates nothing.
#include <algorithm>
#include <cstring>
#include <set>

#include "base/file_path.h"
#include "load/binary_reader.h"
#include "load/load_graph.h"
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
      : in_(source, mapped), graph_("load_binary", options) {}

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
    in_.TakeMagic();
    Any root = Value();
    while (!open_.empty()) {
      if (++steps_ % 4096 == 0) check_signals();
      root = Continue();
    }
    if (!in_.IsAtEnd()) in_.Fail("bytes follow after the end");
    graph_.End(Target());
    return root;
  }

  std::function<const Any*(int64_t)> Target() {
    return [this](int64_t number) { return NodeAt(static_cast<uint64_t>(number)); };
  }

  /// Returns a node that has been made, or null.
  const Any* NodeAt(uint64_t number) const noexcept {
    return number < nodes_.size() && nodes_[number].type_index() != kSlotMissing ? &nodes_[number]
                                                                                 : nullptr;
  }

  Any Node() {
    const uint64_t number = in_.Number();
    if (number >= nodes_.size()) in_.Fail("a reference to a node that does not stand before it");
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
        value.v_int64 = UnfoldNumber(in_.Number());
        return Any::Steal(value);
      case WireKind::kBool: {
        const uint8_t byte = in_.Byte();
        if (byte > 1) in_.Fail("a bool that is neither 0 nor 1");
        value.type_index = kTainBool;
        value.v_int64 = byte;
        return Any::Steal(value);
      }
      case WireKind::kDouble:
        value.v_float64 = in_.Double();
        value.type_index = kTainFloat;
        return Any::Steal(value);
      case WireKind::kFloat: {
        const auto bits = static_cast<uint32_t>(in_.Bits(4));
        float number = 0;
        std::memcpy(&number, &bits, sizeof number);
        value.v_float64 = static_cast<double>(number);
        value.type_index = kTainFloat;
        return Any::Steal(value);
      }
      case WireKind::kText: return in_.Text();
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
        if (IsPending(value))
          in_.Fail("a field that the type does not have refers to a later node");
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
        was_made ? Filled(made) : MadeLast(node.node, made);
        return made;
      }
      case OpenNode::Kind::kData: {
        Any made = graph_.FinishData(*type, node.key, node.node);
        MadeLast(node.node, made);
        return made;
      }
      default: Filled(node.made); return std::move(node.made);
    }
  }

  /// Notes an object that was made before its node ended.
  void Filled(const Any& made) {
    if (graph_.NoteEnd(made)) graph_.Resolve(Target());
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
    const uint64_t seen = in_.source().position() + in_.source().known();
    if (count > seen - std::min(seen, rooms_)) return std::min<uint64_t>(count, 4);
    rooms_ += count;
    return count;
  }

  void OpenContainer(int32_t type_index) {
    const uint64_t count = in_.Number();
    const bool is_map = IsMap(type_index);
    const uint64_t size = is_map ? count * 2 : count;
    // Each part takes a byte at least.
    if ((is_map && count > UINT64_MAX / 2) ||
        (in_.source().is_whole() && size > in_.source().known())) {
      in_.Fail("a container of more elements than there are bytes");
    }
    const uint64_t room = RoomFor(count);
    const TainObject* made =
        is_map ? MapNew(type_index, room) : SeqNew(type_index, static_cast<int64_t>(room));
    Open(is_map ? OpenNode::Kind::kMap : OpenNode::Kind::kSequence, Any::Steal(ViewOfObject(made)),
         size);
  }

  const FileType& NewType() {
    const std::string key = in_.TextString();
    const uint64_t version = in_.Number();
    if (version > INT64_MAX) in_.Fail("a version beyond 63 bits");
    auto type = std::make_unique<FileType>();
    type->type = &graph_.TypeOf(key, static_cast<int64_t>(version), nodes_.size());
    const uint64_t count = in_.Number();
    if (count > kMaxFields) in_.Fail("a type of too many fields");
    std::set<std::string> names;  // a tree, because whoever wrote the data may choose the hashes
    for (uint64_t i = 0; i < count; ++i) {
      std::string name = in_.TextString();
      const uint8_t wire = in_.Byte();
      if (wire > static_cast<uint8_t>(WireKind::kText)) in_.Fail("a field of an unknown kind");
      const int32_t slot = type->type->SlotOf(name);
      if (!names.insert(name).second) in_.Fail("a field that occurs twice");
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
    if (number >= types_.size()) in_.Fail("a type that was not described");
    return *types_[number];
  }

  // ---------------------------------------------------------------- values

  /// Reads a value. If it is a node with parts, opens the node and returns nothing of use.
  Any Value() {
    const uint8_t tag = in_.Byte();
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
      case kTagText: return in_.Text();
      case kTagNode: return Node();
      case kTagArray: OpenContainer(kTainArray); return {};
      case kTagList: OpenContainer(kTainList); return {};
      case kTagMap: OpenContainer(kTainMap); return {};
      case kTagDict: OpenContainer(kTainDict); return {};
      case kTagObject: OpenObject(TypeAt(in_.Number())); return {};
      case kTagNewType: OpenObject(NewType()); return {};
      case kTagData: OpenData(TypeAt(in_.Number())); return {};
      case kTagNewData: OpenData(NewType()); return {};
      case kTagTensor: return nodes_.emplace_back(in_.Tensor());
      case kTagEnum: return in_.Member();
      default: return in_.Leaf(tag);
    }
  }

  static constexpr uint64_t kMaxFields = 10000;
  BinaryReader in_;
  GraphLoader graph_;
  std::vector<OpenNode> open_;
  std::vector<Any> nodes_;
  std::vector<std::unique_ptr<FileType>> types_;
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
