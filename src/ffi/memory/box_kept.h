// SPDX-License-Identifier: Apache-2.0
// The objects that boxes keep alive, as edges of the object graph, and their end.
#pragma once

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "tain/internal/box.h"

namespace tain::internal {

/// What an object keeps alive, each once.
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

/// Calls `visit` for each object that a box keeps alive, until it returns non-zero, and returns that.
int VisitKept(const BoxObj* box, int (*visit)(TainObject* child, void* context), void* context);
/// Takes from a box what it keeps alive, after its object was destroyed, which may use it.
void ClearKept(BoxObj* box);

/// Ends the object of a box that owns it, with code of the library that registered the class;
/// registry/box_table.cc defines it.
void EndBoxedObject(BoxObj* box) noexcept;

}  // namespace tain::internal
