// SPDX-License-Identifier: Apache-2.0
// What boxes keep alive, and the loans of boxed objects for the length of a call.
//
// A box that keeps a lent object depends on its loan: when that is over, the box's own object ends
// too, because it may point into the lent one. A box that existed before the call cannot depend on a
// loan, because others may keep it already; so it refuses lent arguments.
#include "memory/box_kept.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "base/fork.h"
#include "tain/container/array.h"
#include "tain/internal/box_arguments.h"
#include "tain/internal/container_api.h"

namespace tain::internal {

struct BoxKept {
  struct Entry {
    ObjectPtr<Object> object;
    bool is_lender;  ///< a box that was lent itself
  };
  std::vector<Entry> entries;
  /// The objects of `entries`, if they are many.
  std::unordered_set<const Object*> known;
  /// Of a lender: the boxes that depend on its loan.
  std::vector<Weak<Object>> dependents;
  size_t next_tidy = 64;  ///< how many dependents there are when the dead ones are removed

  bool Has(const Object* object) const {
    if (!known.empty()) return known.contains(object);
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return entry.object.get() == object; });
  }
  void Add(const Entry& entry) {
    if (Has(entry.object.get())) return;
    constexpr size_t kFew = 16;
    if (entries.size() == kFew) {
      for (const Entry& one : entries) known.insert(one.object.get());
    }
    if (entries.size() >= kFew) known.insert(entry.object.get());
    entries.push_back(entry);
  }
  /// `held` receives references that may be the last ones, to be dropped after the lock.
  void AddDependent(BoxObj* box, std::vector<ObjectPtr<Object>>* held) {
    if (dependents.size() >= next_tidy) {
      std::erase_if(dependents, [&](const Weak<Object>& one) {
        held->push_back(one.lock());
        return held->back() == nullptr;
      });
      next_tidy = std::max<size_t>(64, 2 * dependents.size());
    }
    dependents.emplace_back(ObjectPtr<Object>(box));
  }
};

namespace {

/// Guards the `kept` of all boxes. Nothing is dropped under it.
std::mutex& KeptLock() {
  static auto* lock = new std::mutex;
  return *lock;
}

BoxObj* BoxOf(TainObject* object) noexcept {
  if (object == nullptr || object->type_index < kTainDynObjectBegin ||
      !IsBoxType(object->type_index)) {
    return nullptr;
  }
  return static_cast<BoxObj*>(ObjectAccess::FromHeader(object));
}

/// Adds to `out` what a box must keep for `object` to stay as it is.
void AddNeeds(TainObject* object, std::vector<BoxKept::Entry>* out) {
  const BoxObj* box = BoxOf(object);
  const bool is_lender = box != nullptr && box->loan == BoxLoan::kLent;
  if (is_lender || box == nullptr || box->kind != BoxKind::kReference) {
    out->push_back({RefAccess::Share<Object>(object), is_lender});
  }
  if (is_lender || box == nullptr || box->kept == nullptr) return;
  for (const BoxKept::Entry& entry : box->kept->entries) {
    if (entry.is_lender || box->kind == BoxKind::kReference) out->push_back(entry);
  }
}

/// Adds to `out` what a copy of a box's object needs: what the box keeps, or, of a reference, what the
/// boxes keep that own the memory.
void AddNeedsOfCopy(const BoxObj* box, std::vector<BoxKept::Entry>* out) {
  if (box->kept == nullptr) return;
  const bool is_owner = box->kind != BoxKind::kReference || box->loan == BoxLoan::kLent;
  for (const BoxKept::Entry& entry : box->kept->entries) {
    if (is_owner) {
      out->push_back(entry);
      continue;
    }
    const BoxObj* owner = BoxOf(ObjectAccess::Header(entry.object.get()));
    if (owner == nullptr || owner->kept == nullptr) continue;
    out->insert(out->end(), owner->kept->entries.begin(), owner->kept->entries.end());
  }
}

/// Calls `act` for each box in an argument or a result: the value itself, or what is in a container.
/// If `is_new` is set, only for those that nothing else refers to.
template <class Act>
void ForEachBox(const TainAny& value, bool is_new, const Act& act) {
  TainObject* object = HeaderOfArgument(value);
  if (object == nullptr) return;
  if (is_new && (object->combined_ref_count & kStrongMask) != 1) return;
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
    default:
      if (BoxObj* box = BoxOf(object)) act(box);
  }
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

/// Returns the boxes whose memory a receiver is in: itself, or those that a reference keeps.
std::vector<ObjectPtr<Object>> OwnersOf(BoxObj* receiver) {
  std::vector<ObjectPtr<Object>> owners;
  if (receiver->kind == BoxKind::kReference) {
    const std::lock_guard lock(KeptLock());
    if (receiver->kept != nullptr) {
      for (const BoxKept::Entry& entry : receiver->kept->entries) {
        if (BoxOf(ObjectAccess::Header(entry.object.get())) != nullptr) {
          owners.push_back(entry.object);
        }
      }
    }
  }
  if (owners.empty()) owners.emplace_back(receiver);
  return owners;
}

Mismatch LentMismatch(const TainAny* a) {
  return Mismatch(TypeNameOf(*a))
      .Got("one that C++ lent for the length of a call: the method may keep it, so give a copy");
}

void End(BoxObj* box) noexcept {
  box->loan = BoxLoan::kOver;
  box->target = nullptr;
  EndBoxedObject(box);
}

Mismatch Unkept(const TainAny* a, std::string_view which) {
  return Mismatch(TypeNameOf(*a))
      .Got("one that " + std::string(which) +
           " with Python's last reference: C++ lent the object of the method for the length of a "
           "call, and may keep a pointer longer (if not, tain::no_keep_alive() says so)");
}
Mismatch UnkeptMismatch(const TainAny* a) { return Unkept(a, "dies"); }
Mismatch UnkeptCopyMismatch(const TainAny* a) { return Unkept(a, "refers to others, which die"); }

/// Whether a copy of a box's object may point to others, which the box keeps alive.
bool NeedsOthers(const BoxObj* box) {
  std::vector<BoxKept::Entry> needs;
  const std::lock_guard lock(KeptLock());
  AddNeedsOfCopy(box, &needs);
  return !needs.empty();
}

/// Ends a loan, before the lent object dies: first the objects that may point into it.
void EndLoan(const TainAny& lent) noexcept {
  BoxObj* lender = BoxOf(lent.v_obj);
  BoxKept* taken = nullptr;
  {
    const std::lock_guard lock(KeptLock());
    lender->loan = BoxLoan::kOver;
    lender->target = nullptr;
    taken = std::exchange(lender->kept, nullptr);
  }
  if (taken == nullptr) return;
  // The latest first, which may point into earlier ones.
  for (auto at = taken->dependents.rbegin(); at != taken->dependents.rend(); ++at) {
    if (const ObjectPtr<Object> box = at->lock()) End(static_cast<BoxObj*>(box.get()));
  }
  delete taken;
}

}  // namespace

void DropKept(BoxKept* kept) noexcept { delete kept; }

namespace {

/// Makes a box keep what `add` writes into a list.
template <class Add>
void KeepNeeds(BoxObj* box, const Add& add) {
  std::vector<BoxKept::Entry> needs;  // these are destroyed after the lock was released
  std::vector<ObjectPtr<Object>> held;
  const std::lock_guard lock(KeptLock());
  add(&needs);
  if (needs.empty()) return;
  if (box->kept == nullptr) box->kept = new BoxKept;
  for (const BoxKept::Entry& entry : needs) {
    if (entry.object.get() == box) continue;
    box->kept->Add(entry);
    if (!entry.is_lender || box->loan == BoxLoan::kLent) continue;
    auto* lender = static_cast<BoxObj*>(entry.object.get());
    if (lender->kept == nullptr) lender->kept = new BoxKept;
    lender->kept->AddDependent(box, &held);
    box->loan = BoxLoan::kDependent;
  }
}

}  // namespace

void KeepObject(BoxObj* box, TainObject* object) {
  if (object == ObjectAccess::Header(box)) return;
  KeepNeeds(box, [object](std::vector<BoxKept::Entry>* needs) { AddNeeds(object, needs); });
}

void KeepAsCopy(BoxObj* box, const BoxObj* source) {
  if (source->kept == nullptr || source == box) return;
  KeepNeeds(box, [source](std::vector<BoxKept::Entry>* needs) { AddNeedsOfCopy(source, needs); });
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
  ForEachArgument(args, num_args, which.stored,
                  [&](int32_t, BoxObj* box) { KeepObject(made, ObjectAccess::Header(box)); });
  ForEachArgument(args, num_args, which.copied,
                  [&](int32_t, BoxObj* box) { KeepAsCopy(made, box); });
}

void KeepInResult(const TainFunctionInfo* info, const TainAny& result, const TainAny* args,
                  int32_t num_args, KeptBits which) {
  ForEachBox(result, true, [&](BoxObj* made) {
    if (made->kind == BoxKind::kReference) {
      if (made->kept != nullptr || made->loan != BoxLoan::kNone) return;
      for (int32_t i = 0; i < num_args; ++i) {
        if (TainObject* owner = HeaderOfArgument(args[i])) KeepObject(made, owner);
      }
      return;
    }
    // What C++ shared before is no new object that the receiver has just made.
    const bool is_found = made->kind == BoxKind::kShared && made->is_stored && IsMethod(info);
    KeepInMade(made, info, args, num_args, is_found ? which.WithoutFirst() : which);
  });
}

void KeepInReceiver(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                    KeptBits which, uint64_t values) {
  if (!IsMethod(info) || KeepsNothing(info)) return;
  BoxObj* receiver = BoxOf(HeaderOfArgument(args[0]));
  if (receiver == nullptr) return;
  const bool is_lent = receiver->loan != BoxLoan::kNone;
  ForEachArgument(args, num_args, which.stored, [&](int32_t i, BoxObj* box) {
    if (is_lent) {
      const bool is_value = ((values >> i) & 1) != 0;
      if (!is_value && box->loan == BoxLoan::kNone) {
        ThrowArgument(info, i, &UnkeptMismatch, args[i]);
      }
    } else if (box->loan != BoxLoan::kNone) {
      ThrowArgument(info, i, &LentMismatch, args[i]);
    }
  });
  if (is_lent) {
    ForEachArgument(args, num_args, which.copied, [&](int32_t i, BoxObj* box) {
      if (NeedsOthers(box)) ThrowArgument(info, i, &UnkeptCopyMismatch, args[i]);
    });
  }
  for (const ObjectPtr<Object>& owner : OwnersOf(receiver)) {
    KeepInMade(static_cast<BoxObj*>(owner.get()), info, args, num_args, which);
  }
}

void KeepInField(TainObject* object, const TainAny& value) {
  auto* receiver = static_cast<BoxObj*>(ObjectAccess::FromHeader(object));
  const std::vector<ObjectPtr<Object>> owners = OwnersOf(receiver);
  ForEachBox(value, false, [&](BoxObj* box) {
    if (receiver->loan != BoxLoan::kNone && NeedsOthers(box)) {
      ThrowCast(&UnkeptCopyMismatch, value, "");
    }
    for (const ObjectPtr<Object>& owner : owners) {
      KeepAsCopy(static_cast<BoxObj*>(owner.get()), box);
    }
  });
}

Any LendBoxesIn(const TainAny& value) {
  Any first;
  Array<Any> all;
  ForEachBox(value, true, [&](BoxObj* box) {
    if (box->kind != BoxKind::kReference || box->kept != nullptr) return;
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
  for (const BoxKept::Entry& entry : box->kept->entries) {
    if (const int code = visit(ObjectAccess::Header(entry.object.get()), context)) return code;
  }
  return 0;
}

void ClearKept(BoxObj* box) {
  if (box->kept == nullptr && box->kind != BoxKind::kReference) return;
  box->target = nullptr;
  EndBoxedObject(box);
  BoxKept* taken = nullptr;
  {
    const std::lock_guard lock(KeptLock());
    taken = std::exchange(box->kept, nullptr);
  }
  delete taken;
}

constinit const ForkSteps box_kept_fork = StepsFor<&KeptLock>();

}  // namespace tain::internal
