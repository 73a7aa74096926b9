// SPDX-License-Identifier: Apache-2.0
// The boxes by the places of their objects: one C++ object has one box while that lives.
//
// A place may have several boxes: of an object and of its first member, of an object that died and of
// the one that has its memory now. A box is in the table from its construction to its destruction,
// which takes the lock of its part of the table: so a box that is found there has its memory.
//
// Most results by reference come from the object that the box keeps already. So that this is seen
// without the lock of what boxes keep, the table remembers one object that a box keeps. What it keeps
// is dropped only after its target was taken, so a box that can be given to Python still keeps it.
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "base/fork.h"
#include "memory/box_kept.h"
#include "memory/kept_list.h"

namespace tain::internal {
namespace {

struct PlacedBox {
  const void* place = nullptr;  ///< null: the slot is empty
  BoxObj* box = nullptr;
  const TainObject* kept = nullptr;  ///< one of the objects that the box keeps, or null
};

uint64_t HashOf(const void* place) noexcept {
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(place)) >> 3;
  const uint64_t mixed = address * 0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> 32);
}

/// A part of the table: open addressing, at most half full.
class Part {
 public:
  std::mutex mutex;

  void Add(uint64_t hash, const PlacedBox& entry) {
    if ((used_ + 1) * 2 > slots_.size()) Grow();
    Put(hash, entry);
    ++used_;
  }
  void Remove(uint64_t hash, const BoxObj* box) noexcept {
    if (slots_.empty()) return;
    size_t at = hash & Mask();
    while (slots_[at].box != box) {
      if (slots_[at].place == nullptr) return;
      at = (at + 1) & Mask();
    }
    --used_;
    // An entry that was put behind the slot because it was taken moves forward.
    for (size_t next = (at + 1) & Mask(); slots_[next].place != nullptr;
         next = (next + 1) & Mask()) {
      const size_t wanted = HashOf(slots_[next].place) & Mask();
      if (((next - wanted) & Mask()) < ((next - at) & Mask())) continue;
      slots_[at] = slots_[next];
      at = next;
    }
    slots_[at] = PlacedBox{};
  }
  /// Calls `test` for the slots of a place until it returns true.
  template <class Test>
  void ForEach(uint64_t hash, const void* place, const Test& test) {
    if (slots_.empty()) return;
    for (size_t at = hash & Mask(); slots_[at].place != nullptr; at = (at + 1) & Mask()) {
      if (slots_[at].place == place && test(slots_[at])) return;
    }
  }

 private:
  size_t Mask() const noexcept { return slots_.size() - 1; }
  void Put(uint64_t hash, const PlacedBox& entry) noexcept {
    size_t at = hash & Mask();
    while (slots_[at].place != nullptr) at = (at + 1) & Mask();
    slots_[at] = entry;
  }
  void Grow() {
    std::vector<PlacedBox> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (const PlacedBox& entry : old) {
      if (entry.place != nullptr) Put(HashOf(entry.place), entry);
    }
  }

  std::vector<PlacedBox> slots_;
  size_t used_ = 0;
};

constexpr size_t kParts = 64;

std::array<Part, kParts>& PartsOfThread() noexcept {
  return NeverDestroyed<std::array<Part, kParts>>();
}
Part& PartOf(uint64_t hash) noexcept { return PartsOfThread()[hash >> 58]; }
static_assert(kParts == uint64_t{1} << (64 - 58));

/// Whether a box can be given to Python as the one of an object of this type.
bool FitsBox(const BoxObj* box, const void* target, int32_t type_index, bool may_depend) noexcept {
  auto* header = ObjectAccess::Header(const_cast<BoxObj*>(box));
  const uint32_t word = std::atomic_ref<uint32_t>(header->reserved).load(std::memory_order_acquire);
  if (word == 0) return false;  // it is being made
  const bool is_free =
      box->loan == BoxLoan::kNone || (may_depend && box->loan == BoxLoan::kDependent);
  return is_free && box->target == target && box->kind != BoxKind::kEnded &&
         TainTypeIsInstance(header->type_index, type_index) != 0;
}

/// A box that can be given to Python, and one object that it keeps.
struct FoundBox {
  ObjectPtr<Object> box;
  const TainObject* kept = nullptr;

  BoxObj* get() const noexcept { return static_cast<BoxObj*>(box.get()); }
};

/// Returns the box of an object of a type, or of a type derived from it: rather one that owns its
/// object. Null if there is none; not one whose object is lent or over, and one that ends with a loan
/// only if `may_depend` is set.
FoundBox FindBoxAt(const void* target, int32_t type_index, bool may_depend) noexcept {
  const uint64_t hash = HashOf(target);
  Part& part = PartOf(hash);
  const PlacedBox* found = nullptr;
  const std::lock_guard lock(part.mutex);
  const auto search = [&](bool is_owner) {
    part.ForEach(hash, target, [&](const PlacedBox& slot) {
      const bool fits = (slot.box->kind != BoxKind::kReference) == is_owner &&
                        FitsBox(slot.box, target, type_index, may_depend) &&
                        IncRefIfAlive(ObjectAccess::Header(slot.box));
      if (fits) found = &slot;
      return fits;
    });
  };
  search(true);
  if (found == nullptr) search(false);
  if (found == nullptr) return {};
  return {RefAccess::Steal<Object>(ObjectAccess::Header(found->box)), found->kept};
}

/// Remembers an object that a box keeps, if none is yet.
void RememberKept(const BoxObj* box, const TainObject* kept) noexcept {
  const uint64_t hash = HashOf(box->place);
  Part& part = PartOf(hash);
  const std::lock_guard lock(part.mutex);
  part.ForEach(hash, box->place, [&](PlacedBox& slot) {
    if (slot.box == box && slot.kept == nullptr) slot.kept = kept;
    return false;
  });
}

/// The facts about the owners that KnownBox asks for.
struct Owners {
  bool any_is_lent = false;
  const TainObject* only = nullptr;  ///< null unless one of them is an object, which is not lent

  Owners(const TainAny* owners, int32_t num_owners) noexcept {
    int32_t num_objects = 0;
    for (int32_t i = 0; i < num_owners; ++i) {
      TainObject* owner = HeaderOfArgument(owners[i]);
      if (owner == nullptr) continue;
      any_is_lent |= IsLent(owner);
      only = owner;
      ++num_objects;
    }
    if (num_objects != 1 || any_is_lent) only = nullptr;
  }
};

/// Whether an owner is only a reference to a part of what others own.
bool IsPartOwner(TainObject* owner) noexcept {
  const BoxObj* box = BoxOf(owner);
  return box != nullptr && box->kind == BoxKind::kReference;
}

/// Whether a box keeps all that it must keep for `owner` to stay as it is: the owner itself, or what
/// a part keeps.
bool KeepsAlready(const BoxObj* box, TainObject* owner) {
  const std::lock_guard lock(KeptLock());
  const BoxObj* of_owner = BoxOf(owner);
  const bool is_part = IsPartOwner(owner);
  if (box->kept == nullptr || (is_part && of_owner->loan == BoxLoan::kLent)) return false;
  if (!is_part && !HasKept(box->kept, owner)) return false;
  bool has_all = true;
  ForEachKept(of_owner == nullptr ? nullptr : of_owner->kept,
              [&](TainObject* needed, bool is_lender, bool) {
                const bool is_kept =
                    !is_part || needed == ObjectAccess::Header(box) || HasKept(box->kept, needed);
                has_all = has_all && !is_lender && is_kept;
              });
  return has_all;
}

/// Makes a box that refers to an object share its ownership. Returns false if the box has another
/// kind.
bool ShareOwner(BoxObj* box, const std::shared_ptr<const void>& owner) {
  // No box becomes a reference, so one that is none needs no lock.
  const std::atomic_ref kind(box->kind);
  if (kind.load(std::memory_order_acquire) != BoxKind::kReference) return false;
  const std::lock_guard lock(KeptLock());
  if (box->kind != BoxKind::kReference) return false;
  static_cast<BoxedShared*>(box)->held = owner;
  box->is_stored = true;
  kind.store(BoxKind::kShared, std::memory_order_release);
  return true;
}

bool HaveOneOwner(const std::shared_ptr<const void>& a, const std::shared_ptr<const void>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

void EnterBox(BoxObj* box) noexcept {
  if (box->target == nullptr) return;
  const uint64_t hash = HashOf(box->target);
  Part& part = PartOf(hash);
  const std::lock_guard lock(part.mutex);
  try {
    part.Add(hash, {box->target, box, nullptr});
    box->place = box->target;
  } catch (const std::bad_alloc&) {  // another box may be made for the object
  }
}

void LeaveBox(BoxObj* box) noexcept {
  const uint64_t hash = HashOf(box->place);
  Part& part = PartOf(hash);
  const std::lock_guard lock(part.mutex);
  part.Remove(hash, box);
  box->place = nullptr;
}

bool KeepOwners(BoxObj* box, bool is_new, const TainAny* owners, int32_t num_owners) {
  const bool is_free = box->loan == BoxLoan::kNone && !is_new;
  bool kept_all = true;
  for (int32_t i = 0; i < num_owners; ++i) {
    TainObject* owner = HeaderOfArgument(owners[i]);
    if (owner == nullptr || (is_free && IsLent(owner))) continue;
    const bool is_known = KeepsAlready(box, owner);
    if (!is_known) KeepObject(box, owner);
    kept_all = kept_all && is_known && !IsPartOwner(owner);
  }
  return kept_all;
}

ObjectPtr<Object> KnownBox(void* target, int32_t type_index, bool read_only, const TainAny* owners,
                           int32_t num_owners) {
  const Owners given(owners, num_owners);
  FoundBox found = FindBoxAt(target, type_index, given.any_is_lent);
  if (found.box == nullptr) return nullptr;
  BoxObj* box = found.get();
  if (!read_only) box->read_only = false;
  if (box->kind != BoxKind::kReference) return std::move(found.box);
  if (given.only != nullptr && found.kept == given.only) return std::move(found.box);
  const bool kept_all = KeepOwners(box, false, owners, num_owners);
  if (kept_all && given.only != nullptr) RememberKept(box, given.only);
  return std::move(found.box);
}

ObjectPtr<Object> KnownSharedBox(void* target, int32_t type_index, bool read_only,
                                 const std::shared_ptr<const void>& owner) {
  FoundBox found = FindBoxAt(target, type_index, false);
  if (found.box == nullptr) return nullptr;
  BoxObj* box = found.get();
  if (!read_only) box->read_only = false;
  if (ShareOwner(box, owner) || box->kind != BoxKind::kShared) return std::move(found.box);
  if (HaveOneOwner(static_cast<BoxedShared*>(box)->held, owner)) return std::move(found.box);
  // One of both shares need not own the object: keep both.
  const auto share = NewBox<BoxedShared>(box->type_index(), nullptr, true, owner);
  KeepObject(box, ObjectAccess::Header(share.get()));
  return std::move(found.box);
}

constinit const ForkSteps box_places_fork = StepsFor<&PartsOfThread>();

}  // namespace tain::internal
