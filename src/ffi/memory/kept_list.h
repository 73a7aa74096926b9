// SPDX-License-Identifier: Apache-2.0
// The list of what an object keeps alive, and of what depends on a loan; and the lock of all lists.
//
// A list is used under the lock, and destroyed without it. Most boxes that keep something keep one
// object, which needs no list: the pointer to the list then is that to the object, with bits set.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tain/internal/box.h"

namespace tain::internal {

/// Guards the `kept` of all boxes. Nothing is dropped under it.
std::mutex& KeptLock();

/// The box that an object is; null if it is none.
inline BoxObj* BoxOf(TainObject* object) noexcept {
  if (object == nullptr || object->type_index < kTainDynObjectBegin ||
      !IsBoxType(object->type_index)) {
    return nullptr;
  }
  return static_cast<BoxObj*>(ObjectAccess::FromHeader(object));
}

/// Whether C++ has only lent an object, which may die in a call that is under way.
inline bool IsLent(TainObject* object) noexcept {
  const BoxObj* box = BoxOf(object);
  return box != nullptr && box->loan != BoxLoan::kNone;
}

/// The list of the objects that an object keeps alive, each once.
struct BoxKept {
  struct Entry {
    ObjectPtr<Object> object;
    bool is_lender;         ///< a box that was lent itself
    bool is_owner = false;  ///< it has the memory of the object, and nothing more
  };
  std::vector<Entry> entries;
  /// The objects of `entries`, if they are many.
  std::unordered_set<const Object*> known;
  /// Of a lender: the boxes that depend on its loan, in the order in which they came, and the place
  /// of each. They take themselves out when they die.
  std::map<uint64_t, BoxObj*> dependents;
  std::unordered_map<const BoxObj*, uint64_t> places;
  uint64_t next_place = 0;

  bool Has(const Object* object) const {
    if (!known.empty()) return known.contains(object);
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return entry.object.get() == object; });
  }
  void Add(const Entry& entry) {
    if (Has(entry.object.get())) {
      if (!entry.is_owner) {
        for (Entry& one : entries) one.is_owner &= one.object.get() != entry.object.get();
      }
      return;
    }
    constexpr size_t kFew = 16;
    if (entries.size() == kFew) {
      for (const Entry& one : entries) known.insert(one.object.get());
    }
    if (entries.size() >= kFew) known.insert(entry.object.get());
    entries.push_back(entry);
  }
  void AddDependent(BoxObj* box) {
    if (!places.try_emplace(box, next_place).second) return;
    dependents.emplace(next_place++, box);
  }
  void RemoveDependent(const BoxObj* box) {
    const auto found = places.find(box);
    if (found == places.end()) return;
    dependents.erase(found->second);
    places.erase(found);
  }
};

constexpr uintptr_t kKeptIsOne = 1, kKeptIsOwner = 2;

/// Whether `kept` of a box is one object. Owned by it as by a list; it is no lender.
inline bool IsOneKept(const BoxKept* kept) noexcept {
  return (reinterpret_cast<uintptr_t>(kept) & kKeptIsOne) != 0;
}
inline BoxKept* OneKept(TainObject* object, bool is_owner) noexcept {
  return reinterpret_cast<BoxKept*>(reinterpret_cast<uintptr_t>(object) | kKeptIsOne |
                                    (is_owner ? kKeptIsOwner : 0));
}
inline TainObject* ObjectOfOne(const BoxKept* kept) noexcept {
  return reinterpret_cast<TainObject*>(reinterpret_cast<uintptr_t>(kept) &
                                       ~(kKeptIsOne | kKeptIsOwner));
}
static_assert(alignof(TainObject) > (kKeptIsOne | kKeptIsOwner));

/// Calls `act(object, is_lender, is_owner)` for all that `kept` of a box has.
template <class Act>
void ForEachKept(const BoxKept* kept, const Act& act) {
  if (kept == nullptr) return;
  if (IsOneKept(kept)) {
    return act(ObjectOfOne(kept), false, (reinterpret_cast<uintptr_t>(kept) & kKeptIsOwner) != 0);
  }
  for (const BoxKept::Entry& entry : kept->entries) {
    act(ObjectAccess::Header(entry.object.get()), entry.is_lender, entry.is_owner);
  }
}
inline bool HasKept(const BoxKept* kept, TainObject* object) {
  if (kept == nullptr) return false;
  if (IsOneKept(kept)) return ObjectOfOne(kept) == object;
  return kept->Has(ObjectAccess::FromHeader(object));
}
/// Makes the list of a box, if it has none yet, and returns its place.
BoxKept*& ListOf(BoxObj* box);
/// Drops what was taken from a box.
void DropKeptOf(BoxKept* taken) noexcept;

}  // namespace tain::internal
