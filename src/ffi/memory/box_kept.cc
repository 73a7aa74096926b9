// SPDX-License-Identifier: Apache-2.0
// The objects that boxes keep alive, and the loans of boxed objects for the length of a call.
//
// A box that keeps a lent object depends on its loan: when that is over, the box's own object ends
// too, because it may point into the lent one. A box that existed before the call cannot depend on a
// loan, because others may keep it already; so it refuses lent arguments.
#include "memory/box_kept.h"

#include <array>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/guard.h"
#include "memory/kept_list.h"
#include "memory/kept_outside.h"
#include "memory/override_call.h"
#include "tain/container/array.h"
#include "tain/internal/box_arguments.h"
#include "tain/internal/box_override.h"
#include "tain/internal/container_api.h"

namespace tain::internal {

namespace {

/// Adds to `out` what a box must keep for `object` to stay as it is.
void AddNeeds(TainObject* object, std::vector<BoxKept::Entry>* out) {
  const BoxObj* box = BoxOf(object);
  const bool is_lender = box != nullptr && box->loan == BoxLoan::kLent;
  if (is_lender || box == nullptr || box->kind != BoxKind::kReference) {
    out->push_back({RefAccess::Share<Object>(object), is_lender});
  }
  if (is_lender || box == nullptr) return;
  ForEachKept(box->kept, [&](TainObject* kept, bool of_lender, bool is_owner) {
    if (!of_lender && box->kind != BoxKind::kReference) return;
    out->push_back({RefAccess::Share<Object>(kept), of_lender, is_owner});
  });
}

/// Whether the memory of a box's object is another's.
bool IsPartOfOther(const BoxObj* box) noexcept {
  return box->kind == BoxKind::kReference && box->loan != BoxLoan::kLent;
}

/// Whether an object dies with a loan, so that nothing can be kept alive as long. A given one holds
/// its box, which can keep things.
bool IsLentForCall(const BoxObj* box) noexcept {
  return box->loan != BoxLoan::kNone && box->kind != BoxKind::kGiven;
}

/// The owner of the memory of an object: a box, an object with fields, or else static memory.
struct Owner {
  BoxObj* box;
  TainObject* object;
  const void* place;
};

/// Calls `act` for each owner of a box's object.
template <class Act>
void ForEachOwner(BoxObj* box, const Act& act) {
  if (!IsPartOfOther(box)) return act(Owner{box, nullptr, nullptr});
  bool has_boxes = false, has_objects = false;
  const auto for_each = [&](const auto& use) {
    ForEachKept(box->kept, [&](TainObject* object, bool, bool) { use(object, BoxOf(object)); });
  };
  for_each([&](TainObject*, BoxObj* owner) {
    if (owner == nullptr) return;
    has_boxes = true;
    act(Owner{owner, nullptr, nullptr});
  });
  if (has_boxes) return;
  for_each([&](TainObject* object, BoxObj*) {
    if (object->type_index < kTainDynObjectBegin) return;  // such as a name
    has_objects = true;
    act(Owner{nullptr, object, nullptr});
  });
  if (!has_objects) act(Owner{nullptr, nullptr, box->target});
}

BoxKept*& KeptOf(const Owner& owner) {
  if (owner.box != nullptr) return ListOf(owner.box);
  KeptOutside& outside = KeptOutside::Get();
  return owner.object != nullptr ? outside.OfObject(owner.object) : outside.OfStatic(owner.place);
}

/// Adds to `out` what a copy of a box's object needs.
void AddNeedsOfCopy(BoxObj* box, std::vector<BoxKept::Entry>* out) {
  const auto add = [out](const BoxKept* kept) {
    ForEachKept(kept, [&](TainObject* object, bool is_lender, bool is_owner) {
      if (!is_owner) out->push_back({RefAccess::Share<Object>(object), is_lender, false});
    });
  };
  const KeptOutside& outside = KeptOutside::Get();
  ForEachOwner(box, [&](const Owner& owner) {
    if (owner.object != nullptr) return add(outside.FindObject(owner.object));
    if (owner.box == nullptr) return add(outside.FindStatic(owner.place));
    add(owner.box->kept);
    if (owner.box->kind == BoxKind::kShared) {
      add(outside.FindShared(static_cast<BoxedShared*>(owner.box)->held));
    }
  });
}

uint64_t NumReferences(const TainObject* object) noexcept {
  return object->combined_ref_count & kStrongMask;
}

/// Calls `act` for each box in an argument or a result: the value itself, or what is in a container.
/// If `is_new` is set, only for those in containers to which nothing else refers.
template <class Act>
void ForEachBox(const TainAny& value, bool is_new, const Act& act) {
  TainObject* object = HeaderOfArgument(value);
  if (object == nullptr) return;
  if (BoxObj* box = BoxOf(object)) return act(box);
  if (is_new && NumReferences(object) != 1) return;
  switch (object->type_index) {
    case kTainArray:
    case kTainList:
      for (int64_t i = 0; i < SeqSize(object); ++i) ForEachBox(SeqData(object)[i], is_new, act);
      return;
    case kTainMap:
    case kTainDict:
      for (uint64_t at = MapFirst(object); MapItemAt(object, at) != nullptr;
           at = MapNext(object, at)) {
        ForEachBox(MapItemAt(object, at)->key, is_new, act);
        ForEachBox(MapItemAt(object, at)->value, is_new, act);
      }
      return;
    default: return;
  }
}

/// How many times each box was met, in the order of the first times.
class BoxCounts {
 public:
  void Add(BoxObj* box) {
    for (size_t i = 0; i < num_few_; ++i) {
      if (few_[i].box != box) continue;
      ++few_[i].times;
      return;
    }
    if (num_few_ < few_.size()) {
      few_[num_few_++] = {box, 1};
      return;
    }
    const auto [place, is_new] = places_.try_emplace(box, many_.size());
    if (is_new) many_.push_back({box, 0});
    ++many_[place->second].times;
  }
  template <class Act>
  void ForEach(const Act& act) const {
    for (size_t i = 0; i < num_few_; ++i) act(few_[i].box, few_[i].times);
    for (const Counted& one : many_) act(one.box, one.times);
  }

 private:
  struct Counted {
    BoxObj* box;
    uint64_t times;
  };
  std::array<Counted, 8> few_;  ///< most results have fewer: no memory is allocated for them
  size_t num_few_ = 0;
  std::vector<Counted> many_;
  std::unordered_map<const BoxObj*, size_t> places_;  ///< in `many_`
};

/// Whether a value that C++ has made is an Array with at most one box and no container, such as a
/// pair of a box and a number; `box` becomes the box, or null.
bool HasOneBoxAtMost(const TainObject* object, BoxObj** box) noexcept {
  if (object->type_index != kTainArray || NumReferences(object) != 1) return false;
  *box = nullptr;
  for (int64_t i = 0; i < SeqSize(object); ++i) {
    TainObject* element = HeaderOfArgument(SeqData(object)[i]);
    if (element == nullptr) continue;
    BoxObj* found = BoxOf(element);
    if (found == nullptr ? IsContainer(element->type_index) : *box != nullptr) return false;
    if (found != nullptr) *box = found;
  }
  return true;
}

/// Calls `act(box, is_new)` once for each box in a value that C++ has made; `is_new` says whether
/// nothing else refers to it. One object may be in a container several times.
template <class Act>
void ForEachMade(const TainAny& value, const Act& act) {
  TainObject* object = HeaderOfArgument(value);
  if (object == nullptr) return;
  if (BoxObj* box = BoxOf(object)) return act(box, NumReferences(object) == 1);
  BoxObj* only = nullptr;
  if (HasOneBoxAtMost(object, &only)) {
    if (only != nullptr) act(only, NumReferences(ObjectAccess::Header(only)) == 1);
    return;
  }
  BoxCounts counts;
  ForEachBox(value, true, [&](BoxObj* box) { counts.Add(box); });
  counts.ForEach([&](BoxObj* box, uint64_t times) {
    act(box, NumReferences(ObjectAccess::Header(box)) == times);
  });
}

bool KeepsNothing(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallKeepsNothing) != 0;
}
bool IsMethod(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallMethod) != 0;
}

/// Calls `act` for each box in the arguments of the bits in `which`.
template <class Act>
void ForEachArgument(const TainAny* args, int32_t num_args, uint64_t which, const Act& act) {
  for (int32_t i = 0; i < num_args && i < 64; ++i) {
    if (((which >> i) & 1) == 0) continue;
    ForEachBox(args[i], false, [&](BoxObj* box) { act(i, box); });
  }
}

Mismatch LentMismatch(const TainAny* a) {
  const BoxObj* box = BoxOf(HeaderOfArgument(*a));
  if (box != nullptr && box->kind == BoxKind::kGiven) {
    return Mismatch(TypeNameOf(*a))
        .Got("one that a std::unique_ptr of C++ owns: the method may keep it longer");
  }
  return Mismatch(TypeNameOf(*a))
      .Got(
          "one that C++ lent for the length of a call: the method may keep it, so give a copy (if "
          "it does not, tain::no_keep_alive() says so)");
}

void EndBox(BoxObj* box) noexcept {
  box->loan = BoxLoan::kOver;
  box->target = nullptr;
  EndBoxedObject(box);
}

Mismatch UnkeptOf(const TainAny* a, std::string_view which) {
  return Mismatch(TypeNameOf(*a))
      .Got("one that " + std::string(which) +
           " with Python's last reference: C++ lent the object of the method for the length of a "
           "call, and may keep a pointer longer (if not, tain::no_keep_alive() says so)");
}
Mismatch UnkeptMismatch(const TainAny* a) { return UnkeptOf(a, "dies"); }
Mismatch UnkeptCopyMismatch(const TainAny* a) { return UnkeptOf(a, "refers to others, which die"); }

/// Whether a copy of a box's object may point to others, which the box keeps alive.
bool NeedsOthers(BoxObj* box) {
  std::vector<BoxKept::Entry> needs;
  const std::lock_guard lock(KeptLock());
  AddNeedsOfCopy(box, &needs);
  return !needs.empty();
}

/// Takes from a lender the last box that depends on it and is alive; null if there is none.
ObjectPtr<Object> TakeDependent(BoxObj* lender) noexcept {
  const std::lock_guard lock(KeptLock());
  BoxKept* kept = lender->kept;
  while (kept != nullptr && !IsOneKept(kept) && !kept->dependents.empty()) {
    BoxObj* box = kept->dependents.rbegin()->second;
    kept->RemoveDependent(box);
    TainObject* header = ObjectAccess::Header(box);
    if (IncRefIfAlive(header)) return RefAccess::Steal<Object>(header);
  }
  return nullptr;
}

/// Takes from a box what it keeps, also out of what its lenders know; for DropKeptOf.
BoxKept* TakeKept(BoxObj* box) noexcept {
  const std::lock_guard lock(KeptLock());
  BoxKept* taken = std::exchange(box->kept, nullptr);
  if (taken == nullptr || IsOneKept(taken)) return taken;
  for (const BoxKept::Entry& entry : taken->entries) {
    if (!entry.is_lender) continue;
    BoxKept* of_lender = static_cast<BoxObj*>(entry.object.get())->kept;
    if (of_lender != nullptr && !IsOneKept(of_lender)) of_lender->RemoveDependent(box);
  }
  return taken;
}

/// Ends a loan, before the lent object dies: first the objects that may point into it.
void EndLender(BoxObj* lender) noexcept {
  {
    const std::lock_guard lock(KeptLock());
    lender->loan = BoxLoan::kOver;  // so no others come
    lender->target = nullptr;
  }
  // The latest first, which may point into earlier ones.
  while (const ObjectPtr<Object> box = TakeDependent(lender))
    EndBox(static_cast<BoxObj*>(box.get()));
}

void EndLoan(const TainAny& lent) noexcept {
  BoxObj* lender = BoxOf(lent.v_obj);
  EndLender(lender);
  BoxKept* taken = nullptr;
  {
    const std::lock_guard lock(KeptLock());
    taken = std::exchange(lender->kept, nullptr);
  }
  DropKeptOf(taken);
}

/// Makes a box that keeps nothing yet keep an object, which needs nothing more. Returns false if it is
/// not so.
bool KeepOne(BoxObj* box, TainObject* object, bool is_owner) {
  const BoxObj* argument = BoxOf(object);
  const std::lock_guard lock(KeptLock());
  if (box->kept != nullptr || KeptOutside::Get().IsTidyTime()) return false;
  if (argument != nullptr &&
      (argument->kind == BoxKind::kReference || argument->loan != BoxLoan::kNone)) {
    return false;
  }
  IncRef(object);
  box->kept = OneKept(object, is_owner);
  return true;
}

/// Makes `owner`, or those who have its memory if it is a box, keep what `add` writes into a list.
template <class Add>
void KeepNeeds(const Owner& owner, bool is_stored, const Add& add) {
  std::vector<BoxKept::Entry> needs;  // these are destroyed after the lock was released
  KeptOutside::Ended ended;
  const std::lock_guard lock(KeptLock());
  if (KeptOutside::Get().IsTidyTime()) KeptOutside::Get().TakeEnded(&ended);
  add(&needs);
  if (needs.empty()) return;
  const auto keep = [&](const Owner& keeper) {
    const TainObject* self =
        keeper.box != nullptr ? ObjectAccess::Header(keeper.box) : keeper.object;
    BoxKept*& kept = KeptOf(keeper);
    if (kept == nullptr) kept = new BoxKept;
    for (const BoxKept::Entry& entry : needs) {
      if (ObjectAccess::Header(entry.object.get()) == self) continue;
      kept->Add(entry);
      if (!entry.is_lender || keeper.box == nullptr || keeper.box->loan == BoxLoan::kLent) continue;
      auto* lender = static_cast<BoxObj*>(entry.object.get());
      ListOf(lender)->AddDependent(keeper.box);
      keeper.box->loan = BoxLoan::kDependent;
    }
  };
  if (is_stored && owner.box != nullptr) {
    ForEachOwner(owner.box, keep);
  } else {
    keep(owner);
  }
}

Owner OwnerAt(TainObject* object) noexcept {
  BoxObj* box = BoxOf(object);
  return box != nullptr ? Owner{box, nullptr, nullptr} : Owner{nullptr, object, nullptr};
}

/// Makes an owner, or those who have the memory of its object, keep another object alive.
void KeepStored(const Owner& owner, TainObject* object) {
  if (owner.box != nullptr && !IsPartOfOther(owner.box) && KeepOne(owner.box, object, false))
    return;
  KeepNeeds(owner, true, [object](std::vector<BoxKept::Entry>* needs) { AddNeeds(object, needs); });
}
/// Makes an owner keep what a copy of a box's object needs.
void KeepCopied(const Owner& owner, BoxObj* source) {
  if (source == owner.box) return;
  const bool is_alone = source->kind != BoxKind::kShared && source->kind != BoxKind::kReference;
  if (source->kept == nullptr && (is_alone || !KeptOutside::Get().IsUsed())) return;
  KeepNeeds(owner, true,
            [source](std::vector<BoxKept::Entry>* needs) { AddNeedsOfCopy(source, needs); });
}

/// Makes an object that C++ shares keep what its box kept, but for owners of its memory. Without
/// memory for that it is kept for ever: then `kept` is null.
void LeaveOutside(const std::weak_ptr<const void>& owner, BoxKept** kept) noexcept {
  KeptOutside::Ended ended;
  try {
    const std::lock_guard lock(KeptLock());
    KeptOutside& outside = KeptOutside::Get();
    BoxKept* place = nullptr;
    ForEachKept(*kept, [&](TainObject* object, bool is_lender, bool is_owner) {
      if (is_owner) return;
      if (place == nullptr) {
        if (outside.IsTidyTime()) outside.TakeEnded(&ended);
        BoxKept*& found = outside.OfShared(owner);
        if (found == nullptr) found = new BoxKept;
        place = found;
      }
      place->Add({RefAccess::Share<Object>(object), is_lender});
    });
  } catch (const std::bad_alloc&) {
    *kept = nullptr;
  }
}

}  // namespace

void DropKept(BoxObj* box) noexcept { DropKeptOf(TakeKept(box)); }

void EndGiven(BoxObj* box) noexcept {
  EndLender(box);
  box->kind = BoxKind::kEnded;
}

void KeepReturned(BoxObj* box, const TainAny& value) {
  TainObject* object = HeaderOfArgument(value);
  const BoxObj* returned = BoxOf(object);
  // An object that C++ has lent to the override is the caller's.
  if (returned == nullptr || returned == box || returned->loan != BoxLoan::kNone) return;
  KeepObject(box, object);
}

void KeepForObject(TainObject* nurse, TainObject* patient) {
  if (nurse != patient) KeepStored(OwnerAt(nurse), patient);
}

bool IsLentForCall(TainObject* object) noexcept {
  const BoxObj* box = BoxOf(object);
  return box != nullptr && IsLentForCall(box);
}

void KeepObject(BoxObj* box, TainObject* object) {
  if (object == ObjectAccess::Header(box) || KeepOne(box, object, true)) return;
  KeepNeeds({box, nullptr, nullptr}, false, [object](std::vector<BoxKept::Entry>* needs) {
    AddNeeds(object, needs);
    for (BoxKept::Entry& entry : *needs) entry.is_owner = true;
  });
}

void KeepAsCopy(BoxObj* box, const BoxObj* source) {
  KeepCopied({box, nullptr, nullptr}, const_cast<BoxObj*>(source));  // which is not changed
}

void KeepWhatSourceKeeps(TainObject* copy, const TainObject* source) {
  auto* original = const_cast<TainObject*>(source);  // which is not changed
  if (BoxObj* box = BoxOf(copy)) return KeepAsCopy(box, BoxOf(original));
  if (!KeptOutside::Get().IsUsed()) return;
  KeepNeeds({nullptr, copy, nullptr}, false, [original](std::vector<BoxKept::Entry>* needs) {
    if (const BoxKept* kept = KeptOutside::Get().FindObject(original)) *needs = kept->entries;
  });
}

void LeaveKept(BoxedShared* box) noexcept {
  const std::weak_ptr<const void> owner = box->held;
  box->target = nullptr;
  box->held.reset();  // first, because the object may use what is kept
  BoxKept* kept = TakeKept(box);
  if (!owner.expired()) LeaveOutside(owner, &kept);
  DropKeptOf(kept);
}

void DropKeptOfEnded() noexcept {
  if (!KeptOutside::Get().IsUsed()) return;
  KeptOutside::Ended ended;
  try {
    const std::lock_guard lock(KeptLock());
    KeptOutside::Get().TakeEnded(&ended);
  } catch (const std::bad_alloc&) {  // later
  }
}

void ThrowBoxArgument(const TainFunctionInfo* info, int32_t index, Explain explain,
                      const TainAny& got) {
  const BoxObj* box = BoxOf(HeaderOfArgument(got));
  if (box != nullptr && box->loan == BoxLoan::kOver) ThrowNoTarget(box);
  ThrowArgument(info, index, explain, got);
}

void KeepInMade(BoxObj* made, const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                KeptBits which) {
  if (KeepsNothing(info)) return;
  ForEachArgument(args, num_args, which.stored, [&](int32_t, BoxObj* box) {
    // `made` may be under construction, so that its header has no type yet.
    if (box != made) KeepStored({made, nullptr, nullptr}, ObjectAccess::Header(box));
  });
  ForEachArgument(args, num_args, which.copied,
                  [&](int32_t, BoxObj* box) { KeepAsCopy(made, box); });
}

void KeepInResult(const TainFunctionInfo* info, const TainAny& result, const TainAny* args,
                  int32_t num_args, KeptBits which) {
  const bool is_box = BoxOf(HeaderOfArgument(result)) != nullptr;
  ForEachMade(result, [&](BoxObj* made, bool is_new) {
    if (made->kind == BoxKind::kReference) {
      // That of a pointer keeps the arguments already; one that was known may have other owners.
      if (is_new ? made->kept == nullptr && made->loan == BoxLoan::kNone : !is_box) {
        KeepOwners(made, is_new, args, num_args);
      }
      return;
    }
    if (!is_new) return;
    // An object that C++ shared before is no new one that the receiver has just made.
    const bool is_found = made->kind == BoxKind::kShared && made->is_stored && IsMethod(info);
    KeepInMade(made, info, args, num_args, is_found ? which.WithoutFirst() : which);
  });
}

void KeepInReceiver(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                    KeptBits which, uint64_t values) {
  if (!IsMethod(info) || KeepsNothing(info)) return;
  BoxObj* receiver = BoxOf(HeaderOfArgument(args[0]));
  if (receiver == nullptr) return;
  const bool is_lent = IsLentForCall(receiver);
  ForEachArgument(args, num_args, which.stored, [&](int32_t i, BoxObj* box) {
    if (is_lent) {
      const bool is_value = ((values >> i) & 1) != 0;
      if (!is_value && box->loan == BoxLoan::kNone) {
        ThrowArgument(info, i, &UnkeptMismatch, args[i]);
      }
    } else if (box->loan != BoxLoan::kNone) {
      const TainObject* passed = ObjectAccess::Header(box);
      if (!OverrideCall::PassesOn(ObjectAccess::Header(receiver), View(info->name), passed)) {
        ThrowArgument(info, i, &LentMismatch, args[i]);
      }
      which.stored &= ~(uint64_t{1} << i);
    }
  });
  if (is_lent) {
    ForEachArgument(args, num_args, which.copied, [&](int32_t i, BoxObj* box) {
      if (NeedsOthers(box)) ThrowArgument(info, i, &UnkeptCopyMismatch, args[i]);
    });
  } else {
    ForEachArgument(args, num_args, which.copied, [&](int32_t i, BoxObj* box) {
      if (box->loan == BoxLoan::kDependent) ThrowArgument(info, i, &LentMismatch, args[i]);
    });
  }
  KeepInMade(receiver, info, args, num_args, which);
}

void KeepInField(TainObject* object, const TainAny& value) {
  const Owner owner = OwnerAt(object);
  const bool is_lent = owner.box != nullptr && IsLentForCall(owner.box);
  ForEachBox(value, false, [&](BoxObj* box) {
    if (is_lent && NeedsOthers(box)) ThrowCast(&UnkeptCopyMismatch, value, "");
    if (!is_lent && box->loan == BoxLoan::kDependent) ThrowCast(&LentMismatch, value, "");
    KeepCopied(owner, box);
  });
}

Any LendBoxesIn(const TainAny& value) {
  Any first;
  Array<Any> all;
  ForEachMade(value, [&](BoxObj* box, bool is_new) {
    if (!is_new || box->kind != BoxKind::kReference || box->kept != nullptr) return;
    if (first == nullptr) {
      first = Any(ObjectPtr<Object>(box));
    } else {
      if (all.size() == 0) all.push_back(first);
      all.push_back(Any(ObjectPtr<Object>(box)));
    }
    box->loan = BoxLoan::kLent;
  });
  return all.size() == 0 ? first : Any(all);
}

void EndLoans(const Any& lent) noexcept {
  const TainAny& value = lent.data();
  if (value.type_index == kTainNone) return;
  if (value.type_index != kTainArray) return EndLoan(value);
  for (int64_t i = 0; i < SeqSize(value.v_obj); ++i) EndLoan(SeqData(value.v_obj)[i]);
}

int VisitKept(const BoxObj* box, int (*visit)(TainObject* child, void* context), void* context) {
  if (box->kept == nullptr) return 0;
  const std::lock_guard lock(KeptLock());
  int code = 0;
  ForEachKept(box->kept, [&](TainObject* object, bool, bool) {
    if (code == 0) code = visit(object, context);
  });
  return code;
}

void ClearKept(BoxObj* box) {
  if (box->kept == nullptr && box->kind != BoxKind::kReference) return;
  if (box->kind == BoxKind::kGiven) return;  // C++ has the object
  if (box->kind == BoxKind::kShared) return LeaveKept(static_cast<BoxedShared*>(box));
  box->target = nullptr;
  EndBoxedObject(box);
  DropKeptOf(TakeKept(box));
}

}  // namespace tain::internal
