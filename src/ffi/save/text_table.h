// SPDX-License-Identifier: Apache-2.0
// The texts that the binary form has written, by content: a hash table with open addressing.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tain::internal {

class TextTable {
 public:
  TextTable() : slots_(256) {}

  /// Returns the place of a text plus 1. If the text is new, gives it the next place and returns 0.
  uint64_t Find(std::string_view text) {
    if ((count_ + 1) * 2 > slots_.size()) Grow();
    const uint64_t hash = HashOf(text);
    Slot& slot = SlotOf(hash, text);
    if (slot.place != 0) return slot.place;
    slot = {hash, texts_.size(), static_cast<uint32_t>(text.size()), ++count_};
    texts_ += text;
    return 0;
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint64_t start = 0;
    uint32_t size = 0;
    uint32_t place = 0;  ///< plus 1; 0: the slot is free
  };

  /// Texts are short. The seed makes no difference, because the writer's texts are not hostile.
  static uint64_t HashOf(std::string_view text) noexcept {
    uint64_t hash = text.size() * 0x9e3779b97f4a7c15U;
    const char* data = text.data();
    size_t size = text.size();
    for (; size >= 8; size -= 8, data += 8) hash = Mixed(hash, data, 8);
    if (size != 0) hash = Mixed(hash, data, size);
    return hash;
  }
  static uint64_t Mixed(uint64_t hash, const char* data, size_t size) noexcept {
    uint64_t word = 0;
    std::memcpy(&word, data, size);
    hash = (hash ^ word) * 0xff51afd7ed558ccdU;
    return hash ^ (hash >> 32);
  }

  Slot& SlotOf(uint64_t hash, std::string_view text) noexcept {
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.place == 0) return slot;
      if (slot.hash == hash && std::string_view(texts_.data() + slot.start, slot.size) == text) {
        return slot;
      }
    }
  }

  void Grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.place == 0) continue;
      const size_t mask = slots_.size() - 1;
      size_t i = slot.hash & mask;
      while (slots_[i].place != 0) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::string texts_;
  uint32_t count_ = 0;
};

}  // namespace tain::internal
