// SPDX-License-Identifier: Apache-2.0
// PairTable: a hash table of objects, or of pairs of objects, for walks over graphs and for results of
// comparisons.
//
// It keeps the objects alive, so that no address is used again during the walk. Entries can only
// be taken back in the reverse order of their insertion.
#pragma once

#include <utility>
#include <vector>

#include "tain/object.h"

namespace tain::internal {

/// Maps a pair of objects, of which the second may be null, to a T.
template <class T>
class PairTable : NotCopied {
 public:
  struct Entry {
    TainObject* first;
    TainObject* second;
    T value;
  };

  PairTable() = default;
  ~PairTable() {
    for (const Entry& entry : entries_) Drop(entry);
  }

  /// Returns the value of a pair, or null.
  T* Find(TainObject* first, TainObject* second = nullptr) noexcept {
    if (entries_.empty()) return nullptr;
    const uint32_t at = slots_[SlotOf(first, second)];
    return at == 0 ? nullptr : &entries_[at - 1].value;
  }
  /// Adds a pair that is not in the table.
  void Add(TainObject* first, TainObject* second, T value) {
    if ((entries_.size() + 1) * 2 > slots_.size()) Grow();
    entries_.push_back({first, second, std::move(value)});
    slots_[SlotOf(first, second)] = static_cast<uint32_t>(entries_.size());
    IncRef(first);
    if (second != nullptr) IncRef(second);
  }
  /// Returns the value of a pair, which is added with `value` if it is not in the table.
  T& FindOrAdd(TainObject* first, TainObject* second, T value) {
    if (T* known = Find(first, second)) return *known;
    Add(first, second, std::move(value));
    return entries_.back().value;
  }
  size_t size() const noexcept { return entries_.size(); }
  /// Removes the entries that were added last, and drops their references, which may run foreign
  /// code. The table is built again, because only failed comparisons inside of hooks take back.
  void ShrinkTo(size_t size) {
    if (entries_.size() <= size) return;
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(size);
    const std::vector<Entry> dropped(first, entries_.end());
    entries_.erase(first, entries_.end());
    Rebuild(slots_.size());
    for (const Entry& entry : dropped) Drop(entry);
  }

 private:
  static void Drop(const Entry& entry) noexcept {
    DecRef(entry.first);
    if (entry.second != nullptr) DecRef(entry.second);
  }
  size_t SlotOf(TainObject* first, TainObject* second) const noexcept {
    const uint64_t mixed = (reinterpret_cast<uintptr_t>(first) * 0x9e3779b97f4a7c15u ^
                            reinterpret_cast<uintptr_t>(second)) *
                           0x9e3779b97f4a7c15u;
    const size_t mask = slots_.size() - 1;
    size_t slot = (mixed >> 24) & mask;
    while (slots_[slot] != 0) {
      const Entry& entry = entries_[slots_[slot] - 1];
      if (entry.first == first && entry.second == second) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
  void Grow() { Rebuild(slots_.empty() ? 64 : slots_.size() * 2); }
  void Rebuild(size_t size) {
    slots_.assign(size, 0);
    for (size_t i = 0; i < entries_.size(); ++i) {
      slots_[SlotOf(entries_[i].first, entries_[i].second)] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  ///< index of an entry plus one; a power of two of them
};

}  // namespace tain::internal
