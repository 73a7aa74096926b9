// SPDX-License-Identifier: Apache-2.0
// How many edges lead to each object that an exploration has met, and the memory of explorations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tain/c_api.h"

namespace tain::bindings {

/// A table of counts, which is emptied in constant time: a collection explores from each wrapper, and
/// most of them reach little.
class EdgeCounts {
 public:
  /// Returns the count of an object, 0 if it is new. Valid until the next call.
  int32_t& Of(const TainObject* object) {
    if (2 * (used_ + 1) > entries_.size()) Grow();
    Entry& entry = entries_[PlaceOf(object)];
    if (entry.round != round_) {
      entry = {object, round_, 0};
      ++used_;
    }
    return entry.count;
  }
  void Empty() {
    used_ = 0;
    if (++round_ == 0 || entries_.size() > kMostKept) *this = EdgeCounts();
  }

 private:
  static constexpr size_t kFewest = 64, kMostKept = 4096;
  struct Entry {
    const TainObject* object = nullptr;
    uint32_t round = 0;  ///< in which it was written; it is free in any other
    int32_t count = 0;
  };

  size_t PlaceOf(const TainObject* object) const noexcept {
    // The upper half of a product with an odd number depends on all bits of an address.
    const uint64_t mixed = reinterpret_cast<uintptr_t>(object) * uint64_t{0x9E3779B97F4A7C15};
    size_t place = static_cast<size_t>(mixed >> 32) & (entries_.size() - 1);
    while (entries_[place].round == round_ && entries_[place].object != object) {
      place = (place + 1) & (entries_.size() - 1);
    }
    return place;
  }
  void Grow() {
    const std::vector<Entry> old =
        std::exchange(entries_, std::vector<Entry>(std::max(kFewest, 2 * entries_.size())));
    for (const Entry& entry : old) {
      if (entry.round == round_) entries_[PlaceOf(entry.object)] = entry;
    }
  }

  std::vector<Entry> entries_;  ///< a power of two of them, at most half of them used
  size_t used_ = 0;
  uint32_t round_ = 1;
};

/// What an exploration needs. One is kept for the next (GcState).
struct ExplorationMemory {
  EdgeCounts counts;
  std::vector<TainObject*> ready;
  std::vector<TainObject*> pending;
  std::vector<TainObject*> expanded;

  void Empty() {
    counts.Empty();
    for (std::vector<TainObject*>* list : {&ready, &pending, &expanded}) {
      list->clear();
      if (list->capacity() > kMostKept) *list = {};
    }
  }

 private:
  static constexpr size_t kMostKept = 4096;
};

}  // namespace tain::bindings
