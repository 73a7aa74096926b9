// SPDX-License-Identifier: Apache-2.0
// A second reader of the memory of Map and Dict, written from the binary contract alone.
//
// It shares no code with the library, as compiled code elsewhere does not: what it cannot find or
// walk would be lost there too.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "helpers/value_helpers.h"

namespace tain_test {

class MapMemory {
 public:
  static constexpr uint64_t kNone = ~uint64_t{0};

  explicit MapMemory(const tain::ObjectRef& map)
      : base_(reinterpret_cast<const char*>(tain::internal::RefAccess::Header(map))) {}

  const char* data() const { return reinterpret_cast<const char*>(Word(24)); }
  uint64_t size() const { return Word(32); }
  bool small() const { return (Word(40) >> 63) != 0; }
  uint64_t slots() const { return Word(40) & ~(uint64_t{1} << 63); }
  bool has_deleter() const { return Word(48) != 0; }
  uint32_t fib_shift() const { return static_cast<uint32_t>(Word(56)); }
  uint64_t head() const { return Word(64); }
  uint64_t tail() const { return Word(72); }

  uint8_t meta(uint64_t slot) const {
    return static_cast<uint8_t>(data()[(slot / 16) * 784 + slot % 16]);
  }
  const char* item(uint64_t slot) const { return data() + (slot / 16) * 784 + 16 + slot % 16 * 48; }
  const TainAny& key(uint64_t slot) const { return *reinterpret_cast<const TainAny*>(item(slot)); }
  const TainAny& value(uint64_t slot) const {
    return *reinterpret_cast<const TainAny*>(item(slot) + 16);
  }
  uint64_t previous(uint64_t slot) const { return Load(item(slot) + 32); }
  uint64_t next(uint64_t slot) const { return Load(item(slot) + 40); }

  static uint64_t HashInt(int64_t v) {
    return 1 ^ (static_cast<uint64_t>(v) + 0x9e3779b9 + (1 << 6) + (1 >> 2));
  }
  uint64_t Home(uint64_t hash) const {
    return (uint64_t{11400714819323198485u} * hash) >> fib_shift();
  }
  static uint64_t Jump(unsigned index) {
    if (index < 16) return index;
    if (index < 83) return uint64_t{index - 10} * (index - 9) / 2;
    constexpr uint64_t kFar[] = {8515, 19110, 42778, 96141, 216153, 486591, 1092981};
    return kFar[index - 83];
  }
  /// Slot of an int key in the dense form, or kNone.
  uint64_t FindInt(int64_t v) const {
    uint64_t slot = Home(HashInt(v));
    if ((meta(slot) & 0x80) != 0) return kNone;
    while (true) {
      if (key(slot).type_index == kTainInt && key(slot).v_int64 == v) return slot;
      const unsigned jump = meta(slot) & 0x7f;
      if (jump == 0) return kNone;
      slot = (slot + Jump(jump)) % slots();
    }
  }
  /// Keys in order, both ways checked.
  std::vector<int64_t> IntKeys() const {
    std::vector<int64_t> keys;
    if (small()) {
      for (uint64_t i = 0; i < size(); ++i) {
        keys.push_back(reinterpret_cast<const TainAny*>(data() + 32 * i)->v_int64);
      }
      return keys;
    }
    uint64_t before = kNone;
    for (uint64_t slot = head(); slot != kNone; slot = next(slot)) {
      REQUIRE(previous(slot) == before);
      keys.push_back(key(slot).v_int64);
      before = slot;
    }
    REQUIRE(tail() == before);
    return keys;
  }

 private:
  static uint64_t Load(const char* at) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    return word;
  }
  uint64_t Word(size_t offset) const { return Load(base_ + offset); }
  const char* base_;
};

/// Int keys whose home in a table of 16 slots is `home`, in ascending order from `from`.
inline std::vector<int64_t> KeysWithHome(uint64_t home, size_t count, int64_t from = 0) {
  std::vector<int64_t> keys;
  for (int64_t v = from; keys.size() < count; ++v) {
    if ((uint64_t{11400714819323198485u} * MapMemory::HashInt(v)) >> 60 == home) keys.push_back(v);
  }
  return keys;
}

}  // namespace tain_test
