// SPDX-License-Identifier: Apache-2.0
// Deep copies of graphs; see copy.h and deep_copy.h.
//
// An object is copied in two steps, so that cycles may lead back to it: its copy is made and
// entered in the memo, and later its fields are replaced by copies. List and Dict begin empty. An
// Array, a Map and an object that only a constructor can make are copied after their parts. What
// waits is in lists on the heap, so the depth of a graph is not limited by the C stack.
#include "tain/internal/deep_copy.h"

#include <algorithm>
#include <deque>

#include "base/guard.h"
#include "graphs/copy_plan.h"
#include "graphs/parts.h"
#include "graphs/rebuild.h"
#include "registry/foreign_type.h"
#include "registry/object_maker.h"
#include "tain/function.h"
#include "tain/graph/copy.h"
#include "tain/internal/container_declared.h"
#include "tain/internal/host_value.h"
#include "tain/internal/value_ops.h"
#include "tain/signals.h"
#include "tain/tensor.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

constexpr uint64_t kCopiesPerCheck = 4096;

bool IsHeld(const TainAny& value) noexcept { return value.type_index >= kTainStaticObjectBegin; }

/// Whether the copy of a value is the value itself.
bool IsSame(const TainAny& a, const TainAny& b) noexcept {
  return IsHeld(a) ? a.type_index == b.type_index && a.v_obj == b.v_obj : !IsHeld(b);
}

/// Whether a value is its own copy.
bool IsAtom(const TainAny& value) noexcept {
  switch (value.type_index) {
    case kTainStr:
    case kTainBytes:
    case kTainBigInt:
    case kTainShape:
    case kTainFunction: return true;
    case kTainOpaquePyObject: {
      HostMember member;
      return HostMemberOf(value, &member);
    }
    default: return !IsHeld(value);
  }
}

/// Whether the host may have a wrapper for an object.
bool MayHaveWrapper(TainObject* object) noexcept {
  const bool has_prefix = (TainObjectWordOf(object) & kTainHeaderHasPrefix) != 0;
  uintptr_t* word = has_prefix ? &TainObjectPrefixOf(object)->tie : TainForeignTie(object, 0);
  if (word == nullptr) return false;
  return (std::atomic_ref<uintptr_t>(*word).load(std::memory_order_acquire) &
          ~uintptr_t{kTainTieMask}) != 0;
}

/// Returns the nearest method __deepcopy__ of a type; null if there is none.
const TainMethodDef* DeepCopyMethod(int32_t type_index) {
  for (const TainTypeRecord* record : FactsOf(type_index).chain) {
    if (const TainMethodDef* method = OwnMethod(*record, "__deepcopy__")) return method;
  }
  return nullptr;
}

/// The facts about a type during one copy.
struct TypeOfCopy {
  CopyPlan plan;
  const TainMethodDef* method = nullptr;  ///< its own __deepcopy__, if there is no host to call it
  DeepCopyHost::Answer answer = DeepCopyHost::Answer::kCopy;
};

/// Something that is finished when all its parts have copies.
struct Unfinished {
  Any source;
  Any copy;                          ///< the copy to fill; None for one that is made of the parts
  const TypeOfCopy* type = nullptr;  ///< of objects with fields
  const std::vector<const TainFieldDef*>* fields = nullptr;  ///< those that are filled or taken
  std::vector<Any> parts;
  size_t next = 0;  ///< the part that is needed next
  bool opened = false;
  bool is_contained = false;  ///< its parts are complete before it is

  TainObject* object() const noexcept { return source.data().v_obj; }
  bool is_filled() const noexcept { return copy.type_index() != kTainNone; }
};

class DeepCopier : NotCopied {
 public:
  DeepCopier(CopyMemo* known, DeepCopyHost* host) : known_(*known), host_(host) {}
  ~DeepCopier() {
    // After an error, cycles of half-made copies would keep themselves.
    for (const Any& shell : shells_) TainObjectClearEdges(shell.data().v_obj);
  }

  std::optional<Any> Run(const Any& value) {
    Need(value);
    while (!stopped_ && (!open_.empty() || !later_.empty())) {
      if (open_.empty() && !OpenLater()) continue;
      if (++steps_ % kCopiesPerCheck == 0) check_signals();
      Step();
    }
    if (stopped_) return std::nullopt;
    // A key is complete before it is hashed. An inner map comes before the one that holds it.
    for (auto& [map, entries] : entries_) {
      for (size_t i = 0; i < entries.size(); i += 2) {
        MapSet(map.data().v_obj, std::move(entries[i]), std::move(entries[i + 1]));
      }
    }
    Any result = CopyOf(value);
    if (known_.empty()) {
      known_.swap(made_);
    } else {
      known_.merge(made_);
    }
    shells_.clear();
    return result;
  }

 private:
  const CopiedObject* Find(const TainObject* object) const {
    if (const auto found = made_.find(object); found != made_.end()) return &found->second;
    const auto found = known_.find(object);
    return found == known_.end() ? nullptr : &found->second;
  }

  /// Returns the copy of a value for which Need was called.
  Any CopyOf(const Any& value) const {
    if (IsAtom(value.data())) return value;
    const CopiedObject* found = Find(value.data().v_obj);
    if (found == nullptr || found->copy.type_index() == kTainNone) {
      TAIN_THROW(ValueError) << TypeNameOf(value.data())
                             << " cannot be copied deeply: it is part of what its constructor "
                                "needs";
    }
    return found->copy;
  }

  void Remember(const Any& source, Any copy) {
    made_[source.data().v_obj] = {source, std::move(copy)};
  }

  /// Opens the copy that was begun last, unless it was opened before. Returns whether it did.
  bool OpenLater() {
    Unfinished last = std::move(later_.back());
    later_.pop_back();
    if (last.source.type_index() == kTainNone) return false;  // see Complete
    waiting_.erase(last.object());
    open_.push_back(std::move(last));
    return true;
  }

  /// Opens a copy that was begun, if it waits, so that it is complete before what is open now.
  void Complete(const TainObject* object) {
    const auto found = waiting_.find(object);
    if (found == waiting_.end()) return;
    open_.push_back(std::exchange(later_[found->second], Unfinished()));
    waiting_.erase(found);
  }

  /// Makes a copy of a value, or begins one. What is contained in the value that needs it will be
  /// copied once more into that, and is therefore completed first.
  void Need(const Any& value, bool is_contained = false) {
    if (stopped_ || IsAtom(value.data())) return;
    TainObject* object = value.data().v_obj;
    if (Find(object) != nullptr) return is_contained ? Complete(object) : void();
    if (AskHost(value)) return;
    switch (object->type_index) {
      case kTainList:
        return Begin(value, Like(object, SeqNew(kTainList, SeqSize(object))), nullptr);
      case kTainDict: return Begin(value, Like(object, MapNew(kTainDict, 0)), nullptr);
      case kTainArray:
      case kTainMap: return Open(value, nullptr, is_contained);
      case kTainTensor: return Remember(value, TensorCopy(value));
      default: break;
    }
    if (object->type_index < kTainDynObjectBegin) return Remember(value, value);
    const TypeOfCopy& type = TypeFor(object);
    if (type.method != nullptr) {
      Remember(value, AnyView(type.method->info.method).cast<Function>()(value, nullptr));
    } else if (!stopped_) {
      NeedObject(value, type, is_contained);
    }
  }

  /// Whether the host has answered for an object: with its copy, or that the core must stop.
  bool AskHost(const Any& value) {
    if (host_ == nullptr) return false;
    TainObject* object = value.data().v_obj;
    const bool has_parts = PartsOfType(object->type_index) != PartsOf::kNothing;
    if (has_parts && !MayHaveWrapper(object)) return false;
    Any copy;
    switch (host_->Meet(value.data(), &copy)) {
      case DeepCopyHost::Answer::kCopy: return false;
      case DeepCopyHost::Answer::kKnown: Remember(value, std::move(copy)); return true;
      default: stopped_ = true; return true;
    }
  }

  const TypeOfCopy& TypeFor(TainObject* object) {
    const auto found = types_.find(object->type_index);
    if (found != types_.end()) return found->second;
    TypeOfCopy type;
    if (host_ != nullptr) type.answer = host_->MeetType(object->type_index);
    stopped_ = type.answer == DeepCopyHost::Answer::kStop;
    if (host_ == nullptr) type.method = DeepCopyMethod(object->type_index);
    if (!stopped_ && type.method == nullptr) type.plan = CopyPlanOf(object);
    return types_.emplace(object->type_index, std::move(type)).first->second;
  }

  void NeedObject(const Any& value, const TypeOfCopy& type, bool is_contained) {
    TainObject* object = value.data().v_obj;
    const TainTypeRecord& record = *TainGetTypeRecord(object->type_index);
    TainObject* wrapped = host_ == nullptr ? CopyWrapped(object) : nullptr;
    if (wrapped != nullptr) {
      const bool copies = type.plan.way == CopyWay::kCopy;
      return Begin(value, wrapped, copies ? &type.plan.later : &FactsOf(object->type_index).fields,
                   &type, is_contained);
    }
    switch (type.plan.way) {
      case CopyWay::kCopy:
        return Begin(value, MakeCopy(record, object).Release().v_obj, &type.plan.later, &type,
                     is_contained);
      case CopyWay::kDefault:
        return Begin(value, MakeDefault(record).Release().v_obj, &type.plan.later, &type,
                     is_contained);
      case CopyWay::kConstruct: return Open(value, &type);
    }
  }

  /// Gives a new container what its source remembers of the type of its elements.
  static TainObject* Like(const TainObject* source, TainObject* made) noexcept {
    SetDeclaredNumber(made, DeclaredNumberOf(source));
    return made;
  }

  /// Enters a copy that is filled later, and takes over its reference.
  void Begin(const Any& source, TainObject* made, const std::vector<const TainFieldDef*>* fields,
             const TypeOfCopy* type = nullptr, bool is_contained = false) {
    Unfinished next;
    next.copy = Any::Steal(ViewOfObject(made));
    next.source = source;
    next.fields = fields;
    next.type = type;
    Remember(source, next.copy);
    if (fields != nullptr && fields->empty()) return;
    shells_.push_back(next.copy);
    Wait(std::move(next), is_contained);
  }

  /// Enters a copy that is to be filled: at once if it must be complete before what is open now.
  void Wait(Unfinished next, bool at_once) {
    if (at_once) return open_.push_back(std::move(next)), void();
    const bool boxed =
        next.type != nullptr &&
        (TainGetTypeRecord(next.object()->type_index)->def.flags & kTainTypeBoxed) != 0;
    if (boxed) waiting_.emplace(next.object(), later_.size());
    later_.push_back(std::move(next));
  }

  /// Begins a copy that is made after its parts.
  void Open(const Any& source, const TypeOfCopy* type, bool is_contained = false) {
    Unfinished next;
    next.is_contained = is_contained;
    next.source = source;
    next.type = type;
    if (type != nullptr) next.fields = &type->plan.first;
    Remember(source, Any());
    open_.push_back(std::move(next));
  }

  /// Opens or finishes the last unfinished copy.
  void Step() {
    Unfinished& last = open_.back();  // the deque does not move it
    const size_t depth = open_.size();
    if (!last.opened) {
      last.opened = true;
      Gather(last);
    }
    // One after the other, so that what two parts share is complete before the second needs it.
    while (last.next < last.parts.size()) {
      const size_t part = last.next++;
      Need(last.parts[part], IsContained(last, part));
      if (stopped_ || open_.size() > depth) return;
    }
    const Unfinished done = std::move(last);
    open_.pop_back();
    Finish(done);
  }

  /// Whether a part is contained in its owner, rather than referred to.
  static bool IsContained(const Unfinished& owner, size_t part) {
    if (owner.type == nullptr) return owner.is_contained;
    const auto& contain = owner.type->plan.contain;
    return !contain.empty() &&
           std::find(contain.begin(), contain.end(), (*owner.fields)[part]) != contain.end();
  }

  static void Gather(Unfinished& last) {
    TainObject* object = last.object();
    if (last.fields != nullptr) {
      for (const TainFieldDef* field : *last.fields) {
        Any owner;
        const TainAny view = FieldView(object, *field, &owner);
        last.parts.emplace_back(AnyView(view));
      }
      return;
    }
    Parts parts(object);
    Part part;
    while (parts.Next(&part)) last.parts.emplace_back(AnyView(part.view));
  }

  void Finish(const Unfinished& done) {
    switch (done.source.type_index()) {
      case kTainList:
        for (const Any& part : done.parts) SeqPush(done.copy.data().v_obj, CopyOf(part));
        return;
      case kTainDict: return Enter(done.copy, done.parts);
      case kTainArray:
      case kTainMap: return FinishImmutable(done);
      default: return done.is_filled() ? Fill(done) : Construct(done);
    }
  }

  void FinishImmutable(const Unfinished& done) {
    bool changed = false;
    for (const Any& part : done.parts) {
      changed = changed || !IsSame(CopyOf(part).data(), part.data());
    }
    if (!changed) return Remember(done.source, done.source);
    const TainObject* source = done.source.data().v_obj;
    const size_t size = done.parts.size();
    if (source->type_index == kTainArray) {
      TainObject* array = Like(source, SeqNew(kTainArray, static_cast<int64_t>(size)));
      const Any made = Any::Steal(ViewOfObject(array));
      for (const Any& part : done.parts) SeqPush(array, CopyOf(part));
      return Remember(done.source, made);
    }
    const Any made = Any::Steal(ViewOfObject(Like(source, MapNew(kTainMap, size / 2))));
    Remember(done.source, made);
    Enter(made, done.parts);
  }

  /// Enters keys and values in a map, or notes them if a key is to be filled first.
  void Enter(const Any& map, const std::vector<Any>& parts) {
    std::vector<Any> entries;
    entries.reserve(parts.size());
    bool at_once = true;
    for (size_t i = 0; i < parts.size(); ++i) {
      at_once = at_once && (i % 2 == 1 || IsAtom(parts[i].data()));
      entries.push_back(CopyOf(parts[i]));
    }
    if (!at_once) return entries_.emplace_back(map, std::move(entries)), void();
    for (size_t i = 0; i < entries.size(); i += 2) {
      MapSet(map.data().v_obj, std::move(entries[i]), std::move(entries[i + 1]));
    }
  }

  void Fill(const Unfinished& done) {
    TainObject* copy = done.copy.data().v_obj;
    const bool all = done.type->plan.way != CopyWay::kCopy;
    for (size_t i = 0; i < done.parts.size(); ++i) {
      const TainFieldDef& field = *(*done.fields)[i];
      const Any value = CopyOf(done.parts[i]);
      if (!all && IsSame(value.data(), done.parts[i].data())) continue;
      if (TryWriteField(copy, field, value.data())) continue;
      Any owner;
      const TainAny view = FieldView(copy, field, &owner);
      if (!ValueEqual(view, value.data())) WriteField(copy, field, value.data());
    }
  }

  void Construct(const Unfinished& done) {
    std::vector<FieldChange> given;
    for (size_t i = 0; i < done.parts.size(); ++i) {
      given.push_back({(*done.fields)[i], CopyOf(done.parts[i])});
    }
    const TainTypeRecord& record = *TainGetTypeRecord(done.source.type_index());
    const Any made = MakeByConstructor(record, given);
    Remember(done.source, made);
    if (done.type->plan.later.empty()) return;
    Unfinished next;
    next.copy = made;
    next.source = done.source;
    next.fields = &done.type->plan.later;
    next.type = done.type;
    Wait(std::move(next), false);
  }

  static Any TensorCopy(const Any& value) {
    const auto tensor = value.cast<Tensor>();
    if (tensor.device().device_type != kDLCPU) return value;
    const Tensor copy = Tensor::Empty(tensor.shape(), tensor.dtype());
    copy.copy_from(tensor);
    return Any(copy);
  }

  CopyMemo& known_;  ///< earlier copies
  CopyMemo made_;    ///< those of this run; None while a copy waits for its parts
  DeepCopyHost* host_;
  std::unordered_map<int32_t, TypeOfCopy> types_;  ///< its elements do not move
  std::deque<Unfinished> open_;                    ///< a part stands after what needs it
  std::vector<Unfinished> later_;                  ///< copies whose parts can wait
  /// The places in later_ of boxed objects.
  std::unordered_map<const TainObject*, size_t> waiting_;
  std::vector<std::pair<Any, std::vector<Any>>> entries_;  ///< of maps whose keys are filled later
  std::vector<Any> shells_;                                ///< copies that are begun
  bool stopped_ = false;
  uint64_t steps_ = 0;
};

}  // namespace

std::optional<Any> DeepCopyWith(const Any& value, CopyMemo* memo, DeepCopyHost* host) {
  return DeepCopier(memo, host).Run(value);
}

}  // namespace tain::internal

namespace tain {

Any DeepCopy(const Any& value) {
  internal::CopyMemo memo;
  return *internal::DeepCopyWith(value, &memo, nullptr);
}

Any CopyWith(const ObjectRef& object, const Map<String, Any>& changes) {
  TainObject* header = internal::RefAccess::Header(object);
  if (header == nullptr) TAIN_THROW(TypeError) << "CopyWith(): expected an object, got None";
  const internal::TypeFacts& type = internal::FactsOf(header->type_index);
  std::vector<internal::FieldChange> fields;
  for (const auto& [name, value] : changes) {
    const TainFieldDef* field = internal::FieldNamed(type, name);
    if (field == nullptr) {
      TAIN_THROW(AttributeError) << internal::TypeNameOf(AnyView(object).data())
                                 << " has no field '" << std::string_view(name) << "'";
    }
    fields.push_back({field, value});
  }
  return internal::CopyWithFields(header, fields);
}

}  // namespace tain
