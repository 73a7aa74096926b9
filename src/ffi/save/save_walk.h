// SPDX-License-Identifier: Apache-2.0
// The walk of saving, iterative and in one pass; the formats say what is written for each value.
//
// `Format` derives from SaveWalk<Format> and has:
//   Leaf(value)           writes a value that is no node
//   Reference(node)       writes a reference to a node that was met before
//   Open(frame)           begins a node; BeforePart(frame) precedes each of its parts
//   Close(frame)          ends a node
//   SaveTensor(frame)     writes a tensor as a node
// An object to which only one reference exists cannot be met twice, so it is not remembered.
#pragma once

#include <unordered_map>

#include "base/utf8.h"
#include "json/byte_stream.h"
#include "save/save_path.h"
#include "tain/graph/json.h"
#include "tain/internal/type_state.h"
#include "tain/signals.h"
#include "values/container_detail.h"

namespace tain::internal {

template <class Format>
class SaveWalk {
 public:
  SaveWalk(const char* where, const WriteBytes* write, const SaveOptions& options)
      : where_(where), options_(options), sink_(write) {}

 protected:
  /// Writes a value and all that can be reached from it.
  void Walk(const TainAny& root) {
    if (root.type_index >= kTainStaticObjectBegin) {
      OpenOrWrite(root, true);
    } else {
      format().Leaf(root);
    }
    while (!frames_.empty()) {
      if (++steps_ % kStepsPerCheck == 0) check_signals();
      Continue();
    }
  }

  /// Returns what is known of a type.
  SaveType& TypeOf(int32_t type_index) {
    const auto index = static_cast<size_t>(type_index);
    if (index >= types_.size()) types_.resize(index + 1);
    if (TAIN_UNLIKELY(types_[index] == nullptr)) {
      types_[index] = std::make_unique<SaveType>(MakeSaveType(type_index));
    }
    return *types_[index];
  }

  /// Refuses text that nobody could load or read.
  void CheckText(std::string_view text) const {
    if (TAIN_UNLIKELY(!IsText(text))) Refuse("text that is not UTF-8 cannot be saved");
  }

  [[noreturn]] void Refuse(const std::string& what) const {
    TAIN_THROW(TypeError) << where_ << ": " << SavePath(frames_) << ": " << what;
  }

  const char* where_;
  SaveOptions options_;
  ByteSink sink_;
  std::vector<SaveFrame> frames_;
  uint64_t num_nodes_ = 0;

 private:
  Format& format() noexcept { return *static_cast<Format*>(this); }

  /// Writes the next parts of the top node until one opens a node of its own, or the node ends.
  void Continue() {
    if (frames_.back().form == SaveForm::kFields && ContinueFields()) return;
    for (;;) {
      SaveFrame& frame = frames_.back();
      Any owner;
      TainAny view{};
      if (!NextPart(frame, &owner, &view)) {
        format().Close(frame);
        frames_.pop_back();
        return;
      }
      format().BeforePart(frame);
      if (Value(view)) return;
      if (++parts_ % kStepsPerCheck == 0) check_signals();
    }
  }

  /// Writes the fields of an object. Returns whether one of them opened a node.
  bool ContinueFields() {
    SaveFrame* frame = &frames_.back();
    const SaveField* fields = frame->type->fields.data();
    TainObject* object = frame->object();
    const int64_t size = frame->size;
    while (frame->next < size) {
      Any owner;
      const TainAny view = ReadField(object, fields[frame->next++], &owner);
      format().BeforePart(*frame);
      if (Value(view)) return true;
      frame = &frames_.back();  // a node that ended at once may have moved it
    }
    return false;
  }

  /// A large leaf is written in parts, between which its holder may drop it.
  void WriteLeaf(const TainAny& value) {
    if (TAIN_LIKELY(!sink_.calls_out() || value.type_index < kTainStaticObjectBegin)) {
      return format().Leaf(value);
    }
    const Any held{AnyView(value)};
    format().Leaf(held.data());
  }

  /// Returns whether the value opened a node.
  bool Value(const TainAny& value) {
    if (value.type_index < kTainStaticObjectBegin || value.type_index == kTainStr) {
      WriteLeaf(value);
      return false;
    }
    return OpenOrWrite(value, false);
  }

  bool NextPart(SaveFrame& frame, Any* owner, TainAny* view) {
    switch (frame.form) {
      case SaveForm::kFields: {
        if (frame.next == frame.size) return false;
        *view =
            ReadField(frame.object(), frame.type->fields[static_cast<size_t>(frame.next++)], owner);
        return true;
      }
      case SaveForm::kSequence:
        if (SeqSize(frame.object()) != frame.size) ThrowChanged();
        if (frame.next == frame.size) return false;
        *view = SeqData(frame.object())[frame.next++];
        return true;
      case SaveForm::kMap: return NextOfMap(frame, view);
      case SaveForm::kData:
        if (frame.next++ != 0) return false;
        *view = frame.data.data();
        return true;
      default: return false;
    }
  }

  bool NextOfMap(SaveFrame& frame, TainAny* view) {
    TainObject* map = frame.object();
    if (frame.next == frame.size) {
      if (static_cast<int64_t>(MapSize(map)) * 2 != frame.size) ThrowChanged();
      return false;
    }
    if (frame.next % 2 == 0) frame.place = NextPlace(map, frame.next == 0, frame.place);
    const MapItem* item = MapItemOf(map, frame.place);
    if (item == nullptr) ThrowMapChanged();
    *view = frame.next++ % 2 == 0 ? item->key : item->value;
    return true;
  }

  [[noreturn]] void ThrowChanged() const {
    TAIN_THROW(RuntimeError) << where_ << ": " << SavePath(frames_)
                             << ": the container changed while it was saved";
  }

  /// Writes an object. Returns whether it opened a node.
  bool OpenOrWrite(const TainAny& value, bool is_root) {
    switch (value.type_index) {
      case kTainStr:
      case kTainBytes:
      case kTainShape:
      case kTainBigInt: WriteLeaf(value); return false;
      case kTainArray:
      case kTainList:
      case kTainMap:
      case kTainDict:
      case kTainTensor: break;
      default:
        if (value.type_index < kTainDynObjectBegin) return WriteOther(value);
    }
    if (is_root || IsShared(value.v_obj)) {
      const auto [entry, is_new] = known_.try_emplace(value.v_obj, SavedNode{});
      if (!is_new) {
        format().Reference(&entry->second);
        return false;
      }
      kept_.emplace_back(AnyView(value));
      return OpenNode(value, &entry->second);
    }
    return OpenNode(value, nullptr);
  }

  bool OpenNode(const TainAny& value, SavedNode* known) {
    frames_.emplace_back();
    SaveFrame& frame = frames_.back();
    frame.held = Any(AnyView(value));
    frame.known = known;
    if (value.type_index == kTainTensor) {
      format().SaveTensor(frame);
      frames_.pop_back();
      return false;
    }
    FillFrame(&frame);
    format().Open(frames_.back());
    return true;
  }

  void FillFrame(SaveFrame* frame) {
    TainObject* object = frame->object();
    switch (object->type_index) {
      case kTainArray:
      case kTainList:
        frame->form = SaveForm::kSequence;
        frame->size = SeqSize(object);
        return;
      case kTainMap:
      case kTainDict:
        frame->form = SaveForm::kMap;
        frame->size = static_cast<int64_t>(MapSize(object)) * 2;
        return;
      default: break;
    }
    SaveType& type = TypeOf(object->type_index);
    frame->type = &type;
    if (AsksHost(type, object) && DataOfHost(frame)) return;
    if (type.to_data != nullptr) {
      TainAny data{};
      ThrowIfFailed(TainFunctionCall(type.to_data->v_obj, &frame->held.data(), 1, &data));
      SetData(frame, data);
      return;
    }
    if (type.loses_state) {
      const int32_t type_index = object->type_index;
      frames_.pop_back();
      Refuse(UnregisteredStateText(type_index, StateUse::kSave));
    }
    frame->form = SaveForm::kFields;
    frame->size = static_cast<int64_t>(type.fields.size());
  }

  static bool AsksHost(const SaveType& type, const TainObject* object) noexcept {
    return type.asks_host || HasHostClass(object);
  }

  bool DataOfHost(SaveFrame* frame) {
    const HostSaving* host = SavingHost();
    if (host == nullptr) return false;
    TainAny made{};
    int answer = kHostSavesFields;
    ThrowIfFailed(host->data_of(frame->object(), &made, &answer));
    if (answer == kHostSavesFields) return false;
    if (answer == kHostSavesData) {
      SetData(frame, made);
      return true;
    }
    const Any name = Any::Steal(made);
    if (options_.subclasses_as_parent) return false;
    frames_.pop_back();
    Refuse(name.cast<std::string>());
  }

  static void SetData(SaveFrame* frame, const TainAny& data) {
    frame->form = SaveForm::kData;
    frame->data = Any::Steal(data);
    frame->size = 1;
  }

  /// Writes a value of a built-in type that is no node: an enum member; all others are refused.
  bool WriteOther(const TainAny& value) {
    HostMember member;
    const Any held{AnyView(value)};  // a text of the member lies in it
    if (value.type_index == kTainOpaquePyObject && HostMemberOf(value, &member)) {
      format().Member(*member.info, member.value);
      return false;
    }
    switch (value.type_index) {
      case kTainFunction: Refuse("a function cannot be saved");
      case kTainModule: Refuse("a module cannot be saved");
      case kTainError: Refuse("an error cannot be saved");
      default: Refuse("a value of type " + TypeNameOf(value) + " cannot be saved");
    }
  }

  static constexpr int64_t kStepsPerCheck = 4096;
  std::vector<std::unique_ptr<SaveType>> types_;  ///< by type index
  std::unordered_map<TainObject*, SavedNode> known_;
  std::vector<Any> kept_;  ///< keeps the objects of known_ alive
  int64_t steps_ = 0;
  int64_t parts_ = 0;
};

}  // namespace tain::internal
