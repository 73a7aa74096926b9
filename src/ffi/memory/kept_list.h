// SPDX-License-Identifier: Apache-2.0
// The list of what an object keeps alive, and of what depends on a loan.
//
// It is used under the lock of what boxes keep, and destroyed without it.
#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tain/internal/box.h"

namespace tain::internal {

/// What an object keeps alive, each once.
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

}  // namespace tain::internal
