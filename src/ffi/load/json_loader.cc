// SPDX-License-Identifier: Apache-2.0
// Loads a graph from JSON text, node by node, without keeping the text.
#include <array>
#include <cmath>
#include <set>

#include "base/guard.h"
#include "base/text_repr.h"
#include "base/utf8.h"
#include "json/json_reader.h"
#include "json/json_text.h"
#include "load/load_graph.h"
#include "load/load_value.h"
#include "save/format_version.h"
#include "tain/graph/json.h"
#include "tain/signals.h"

namespace tain {
namespace internal {
namespace {

constexpr size_t kMaxExtras = 10'000;

class JsonLoader {
 public:
  JsonLoader(ByteSource* source, const LoadOptions& options)
      : in_("load_json", source), graph_("load_json", options) {}

  Any Run() {
    try {
      return Read();
    } catch (...) {
      for (const auto& [number, label] : labels_) nodes_.push_back(label.made);
      graph_.Discard(nodes_);
      throw;
    }
  }

 private:
  Any Read() {
    bool has_nodes = false, has_version = false, has_root = false;
    in_.Expect('{');
    if (!in_.Take('}')) {
      do {
        const std::string_view name = in_.Name();
        if (name == "tain_graph" && !has_version) {
          has_version = true;
          if (in_.Count() != kFormatVersion) in_.Fail(kUnknownVersion);
        } else if (name == "nodes" && !has_nodes) {
          has_nodes = true;
          Nodes();
        } else if (name == "root" && !has_root) {
          has_root = true;
          is_root_ = !has_nodes;
          root_ = Value();
          is_root_ = false;
        } else {
          FailName(name);
        }
      } while (in_.Take(','));
      in_.Expect('}');
    }
    in_.ExpectEnd();
    if (!has_version || !has_nodes || !has_root) {
      in_.Fail("expected \"tain_graph\", \"nodes\" and \"root\"");
    }
    return End();
  }

  /// Checks the root, which may stand before the nodes.
  Any End() {
    for (const auto& [number, label] : labels_) {
      if (!label.is_met) {
        in_.Fail("a value refers to the label " + std::to_string(number) + ", which no node has");
      }
    }
    graph_.End(Target());
    if (!IsPending(root_)) return std::move(root_);
    const int64_t number = root_.data().v_int64;
    const Any* found = number < 0 ? NodeOf(-1 - number) : Target()(number);
    if (found == nullptr) in_.Fail("the root refers to a node that does not exist");
    return *found;
  }

  /// Returns the function that returns the node of a label, or null.
  std::function<const Any*(int64_t)> Target() {
    return [this](int64_t number) -> const Any* {
      const auto found = labels_.find(number);
      return found == labels_.end() ? nullptr : &found->second.made;
    };
  }

  const Any* NodeOf(int64_t number) const noexcept {
    const auto index = static_cast<uint64_t>(number);
    return index < nodes_.size() ? &nodes_[index] : nullptr;
  }

  [[noreturn]] void FailName(std::string_view name) {
    std::string shown;
    AppendStrRepr(Utf8Prefix(name, 200), &shown);
    in_.Fail("unexpected name " + shown + ", or it occurs twice");
  }
  [[noreturn]] void FailNode(const std::string& what) {
    in_.Fail("node " + std::to_string(nodes_.size()) + ": " + what);
  }

  void Nodes() {
    in_.Expect('[');
    if (in_.Take(']')) return;
    do {
      if (nodes_.size() % 4096 == 4095) check_signals();
      Node();
    } while (in_.Take(','));
    in_.Expect(']');
  }

  void Node() {
    in_.Expect('{');
    if (in_.Name() != "$type") FailNode("expected \"$type\" as the first name");
    const std::string_view key = in_.String();
    if (key.starts_with("ffi.")) {
      if (key == "ffi.Tensor") return Tensor();
      Any made = ContainerOf(key);
      if (made.type_index() != kSlotMissing) return Container(std::string(key), std::move(made));
    }
    Object(TypeOf(key));
  }

  /// Finds a type in a small table first, where its key has one place.
  LoadType& TypeOf(std::string_view key) {
    if (TAIN_UNLIKELY(key.empty())) return graph_.TypeOf(key, 1, nodes_.size());
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(key[i]); };
    const size_t place = key.size() + 3U * byte(key.size() / 2) + 7U * byte(key.size() - 1);
    LoadType*& known = recent_[place % recent_.size()];
    if (TAIN_UNLIKELY(known == nullptr || known->key != key)) {
      known = &graph_.TypeOf(key, 1, nodes_.size());
    }
    return *known;
  }

  /// A node to which values before it refer.
  struct LabelledNode {
    int64_t number;   ///< the label
    std::string key;  ///< of its type
    Any made;         ///< missing if it is made at the end of the node
    bool is_met = false;
    bool has_ended = false;
  };

  /// Takes the label of a node. Returns the object that stands for it already, or else `made`, which
  /// stands for it in the values of the node itself.
  Any Label(std::string_view key, Any made) {
    if (label_ != nullptr) FailNode("two labels");
    const int64_t number = in_.Count();
    const auto [entry, is_new] = labels_.try_emplace(number);
    label_ = &entry->second;
    if (is_new) {
      label_->number = number;
      label_->key = key;
      label_->made = std::move(made);
    }
    if (label_->is_met || label_->key != key) FailNode("a label of another node");
    label_->is_met = true;
    return label_->made;
  }

  /// Ends a node.
  void Add(Any made) {
    if (TAIN_LIKELY(label_ == nullptr)) return nodes_.push_back(std::move(made));
    nodes_.push_back(made);
    LabelledNode& label = *std::exchange(label_, nullptr);
    label.made = made;
    label.has_ended = true;
    if (graph_.NoteEnd(made)) graph_.Resolve(Target());
    graph_.NoteMade(label.number, Target());
  }

  /// Takes a reference to a node that comes later: its type and its label.
  Any LabelValue() {
    const std::string key(in_.String());
    in_.Expect(',');
    if (in_.Name() != "$yet") in_.Fail("expected \"$yet\"");
    const int64_t number = in_.Count();
    const auto [entry, is_new] = labels_.try_emplace(number);
    LabelledNode& label = entry->second;
    if (is_new) {
      label.number = number;
      label.key = key;
      label.made = ContainerOf(key);
      if (label.made.type_index() == kSlotMissing) {
        label.made = graph_.Begin(graph_.TypeOf(key, 1, nodes_.size()), nodes_.size());
      }
    } else if (label.key != key) {
      in_.Fail("a label of two types");
    }
    if (label.made.type_index() == kSlotMissing) return PendingSlot(number);
    if (!label.has_ended) graph_.NoteOpen(label.made);
    return label.made;
  }

  /// Makes an empty container; missing if the key is that of none.
  static Any ContainerOf(std::string_view key) {
    const int32_t index = key == "ffi.Array"  ? kTainArray
                          : key == "ffi.List" ? kTainList
                          : key == "ffi.Map"  ? kTainMap
                          : key == "ffi.Dict" ? kTainDict
                                              : 0;
    if (index == 0) return MissingSlot();
    return Any::Steal(ViewOfObject(IsMap(index) ? MapNew(index, 0) : SeqNew(index, 0)));
  }

  void Object(LoadType& first) {
    LoadType* type = &first;
    const size_t base = graph_.slots.size();
    const uint64_t node = nodes_.size();
    graph_.PushSlots(*type);
    Any data = MissingSlot(), made = MissingSlot();
    size_t next = 0;  // the field that is expected
    while (in_.Take(',')) {
      if (next < type->fields.size() && TakeExpected(*type, next)) {
        graph_.slots[base + next] = Value();
        ++next;
        continue;
      }
      const std::string_view name = in_.Name();
      if (name.starts_with('$')) {
        Special(name, &type, &data, &made);
        continue;
      }
      const int32_t slot = type->SlotOf(name);
      if (slot < 0) {
        Extra(name);
        continue;
      }
      next = static_cast<size_t>(slot) + 1;
      Any& place = graph_.slots[base + next - 1];
      if (place.type_index() != kSlotMissing) FailName(name);
      place = Value();
    }
    in_.Expect('}');
    if (data.type_index() != kSlotMissing) {
      graph_.slots.resize(base);
      if (!extras_.empty()) FailNode("fields beside \"$value\"");
      if (made.type_index() != kSlotMissing) FailNode("a value refers to it, but a hook makes it");
      return Add(graph_.FinishData(*type, data, node));
    }
    if (made.type_index() == kSlotMissing) made = graph_.Begin(*type, node);
    Add(graph_.Finish(*type, std::move(made), base, &extras_, node));
  }

  /// Takes the name of a field if it is the next one; a name without escapes is compared where it
  /// stands.
  bool TakeExpected(const LoadType& type, size_t next) {
    const size_t base = graph_.slots.size() - type.fields.size();
    return graph_.slots[base + next].type_index() == kSlotMissing &&
           in_.TakeName(type.fields[next].json);
  }

  void Special(std::string_view name, LoadType** type, Any* data, Any* made) {
    if (name == "$yet") {
      *made = Label((*type)->key, graph_.Begin(**type, nodes_.size()));
    } else if (name == "$value" && data->type_index() == kSlotMissing) {
      *data = Value();
    } else if (name == "$version" && (*type)->version == 1) {
      const int64_t version = in_.Count();
      const std::string key = (*type)->key;
      *type = &graph_.TypeOf(key, version, nodes_.size());
    } else {
      FailName(name);
    }
  }

  void Extra(std::string_view name) {
    if (extras_.size() == kMaxExtras) FailNode("more unknown fields than a type can have");
    if (extras_.empty()) extra_names_.clear();
    if (!extra_names_.emplace(name).second) FailName(name);
    std::string owned(name);  // the value may take the room of the name
    Any value = Value();
    if (IsPending(value)) FailNode("a field that the type does not have refers to a later node");
    extras_.push_back({std::move(owned), std::move(value)});
  }

  void Container(const std::string& key, Any made) {
    bool has_items = false;
    while (in_.Take(',')) {
      const std::string_view name = in_.Name();
      if (name == "$yet" && !has_items) {
        made = Label(key, std::move(made));
        continue;
      }
      if (name != "items" || has_items) FailName(name);
      has_items = true;
      in_.Expect('[');
      if (in_.Take(']')) continue;
      TainObject* container = made.data().v_obj;
      if (IsMap(container->type_index)) {
        do Entry(container);
        while (in_.Take(','));
      } else {
        do graph_.Push(container, Value());
        while (in_.Take(','));
      }
      in_.Expect(']');
    }
    in_.Expect('}');
    Add(std::move(made));
  }

  void Entry(TainObject* map) {
    in_.Expect('[');
    Any key = Value();
    in_.Expect(',');
    graph_.SetEntry(map, std::move(key), Value());
    in_.Expect(']');
  }

  void Tensor() {
    std::string dtype, data;
    std::vector<int64_t> shape;
    int seen = 0;
    while (in_.Take(',')) {
      const std::string_view name = in_.Name();
      const int bit = name == "dtype" ? 1 : name == "shape" ? 2 : name == "data" ? 4 : 0;
      if (bit == 0 || (seen & bit) != 0) FailName(name);
      seen |= bit;
      if (bit == 1) dtype = in_.String();
      if (bit == 2) shape = Extents();
      if (bit == 4) data = in_.String();
    }
    in_.Expect('}');
    if (seen != 7) FailNode("a tensor needs \"dtype\", \"shape\" and \"data\"");
    if (!DecodeBase64(&data)) FailNode("the data of a tensor is not base64");
    std::string fault;
    Any made = MakeSavedTensor(DataTypeOfName(dtype, &fault), shape, data, &fault);
    if (!fault.empty()) FailNode(fault);
    Add(std::move(made));
  }

  std::vector<int64_t> Extents() {
    std::vector<int64_t> extents;
    in_.Expect('[');
    if (in_.Take(']')) return extents;
    do {
      TainAny value{};
      in_.Scalar(&value);
      const Any owned = Any::Steal(value);
      if (value.type_index != kTainInt) in_.Fail("expected an integer");
      extents.push_back(value.v_int64);
    } while (in_.Take(','));
    in_.Expect(']');
    return extents;
  }

  Any Value() {
    const char c = in_.Peek();
    if (c == '{') return ObjectValue();
    TainAny value{};
    if (c == '"') {
      MakeText(in_.String(), kTainSmallStr, kTainStr, &value);
    } else {
      in_.Scalar(&value);
    }
    return Any::Steal(value);
  }

  /// Takes a value of the form `{"$node": 3}`.
  Any ObjectValue() {
    in_.Expect('{');
    if (TAIN_LIKELY(in_.TakeName("\"$node\":"))) {
      Any value = NodeValue();
      in_.Expect('}');
      return value;
    }
    const std::string_view name = in_.Name();
    Any value;
    if (name == "$node") {
      value = NodeValue();
    } else if (name == "$type") {
      value = LabelValue();
    } else if (name == "$shape") {
      const std::vector<int64_t> extents = Extents();
      value = MakeSavedShape(extents);
    } else if (name == "$device") {
      value = Device();
    } else if (name == "$enum") {
      value = Member();
    } else {
      value = NamedText(name);
    }
    in_.Expect('}');
    return value;
  }

  Any NodeValue() {
    int64_t number = 0;
    if (!in_.TakeSmallNumber(&number)) number = in_.Count();
    if (const Any* node = NodeOf(number)) return *node;
    if (is_root_) return PendingSlot(-1 - number);  // the nodes may come later
    in_.Fail("a value refers to the node " + std::to_string(number) +
             ", which does not stand before it");
  }

  Any Device() {
    in_.Expect('[');
    const std::string kind(in_.String());
    in_.Expect(',');
    const int64_t number = in_.Count();
    in_.Expect(']');
    TainAny value{};
    value.type_index = kTainDevice;
    if (number > INT32_MAX || !DeviceOfName(kind, &value.v_device.device_type)) {
      in_.Fail("a device of an unknown kind");
    }
    value.v_device.device_id = static_cast<int32_t>(number);
    return Any::Steal(value);
  }

  Any Member() {
    if (in_member_) FailName("$enum");  // a member is a number or a text
    in_member_ = true;
    const std::string key(in_.String());
    in_.Expect(',');
    if (in_.Name() != "$value") in_.Fail("expected \"$value\"");
    std::string fault;
    Any made = MakeSavedMember(key, Value(), &fault);
    if (!fault.empty()) in_.Fail(fault);
    in_member_ = false;
    return made;
  }

  Any NamedText(std::string_view given) {
    const std::string name(given);
    if (name != "$bytes" && name != "$text" && name != "$int" && name != "$float" &&
        name != "$dtype") {
      FailName(name);
    }
    std::string text(in_.String());
    TainAny value{};
    if (name == "$float") {
      value.type_index = kTainFloat;
      value.v_float64 = text == "-inf" ? -INFINITY : text == "inf" ? INFINITY : NAN;
      if (text != "nan" && text != "inf" && text != "-inf") in_.Fail("expected nan, inf or -inf");
      return Any::Steal(value);
    }
    if (name == "$dtype") {
      std::string fault;
      value.type_index = kTainDataType;
      value.v_dtype = DataTypeOfName(text, &fault);
      if (!fault.empty()) in_.Fail(fault);
      return Any::Steal(value);
    }
    if (!DecodeBase64(&text)) in_.Fail("expected base64");
    if (name == "$text") {
      if (!IsText(text)) in_.Fail("a text is not UTF-8");
      MakeText(text, kTainSmallStr, kTainStr, &value);
    } else if (name == "$bytes") {
      MakeText(text, kTainSmallBytes, kTainBytes, &value);
    } else {
      const TainByteArray bytes{text.data(), text.size()};
      ThrowIfFailed(TainBigIntFromByteArray(&bytes, &value));
    }
    return Any::Steal(value);
  }

  JsonReader in_;
  GraphLoader graph_;
  std::vector<Any> nodes_;
  /// Spreads labels that somebody has chosen so that they would meet in the table.
  struct LabelHash {
    size_t operator()(int64_t label) const noexcept {
      static const char place = 0;  // its address differs from process to process
      uint64_t mixed = static_cast<uint64_t>(label) + reinterpret_cast<uintptr_t>(&place);
      mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
      mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
      return static_cast<size_t>(mixed ^ (mixed >> 31));
    }
  };
  std::unordered_map<int64_t, LabelledNode, LabelHash> labels_;
  bool in_member_ = false;
  LabelledNode* label_ = nullptr;   ///< of the present node
  std::vector<ExtraField> extras_;  ///< of the present node
  /// Their names; a tree, because whoever wrote the data may choose the hashes.
  std::set<std::string, std::less<>> extra_names_;
  std::array<LoadType*, 256> recent_{};  ///< types of version 1
  bool is_root_ = false;                 ///< whether a value is the root, and precedes the nodes
  Any root_;
};

}  // namespace
}  // namespace internal

Any LoadJson(std::string_view text, const LoadOptions& options) {
  internal::ByteSource source(text);
  return internal::JsonLoader(&source, options).Run();
}
Any LoadJson(const ReadBytes& read, const LoadOptions& options) {
  internal::ByteSource source(&read);
  return internal::JsonLoader(&source, options).Run();
}

}  // namespace tain
