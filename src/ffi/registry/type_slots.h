// SPDX-License-Identifier: Apache-2.0
// TypeSlots<Slot>: one Slot for each type, found without a lock and never freed.
#pragma once

#include <atomic>
#include <memory>

#include "registry/type_table.h"

namespace tain::internal {

template <class Slot>
class TypeSlots {
 public:
  /// Returns the slot of a type index, or null if it has none yet.
  Slot* Find(int32_t index) noexcept {
    if (index < 0 || index >= TypeTable::kMaxTypes) return nullptr;
    Chunk* chunk = chunks_[index / kChunkSize].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : &chunk->slots[index % kChunkSize];
  }

  /// Returns the slot of a registered type and makes it if needed.
  Slot& At(int32_t index) {
    if (Slot* known = Find(index)) return *known;
    auto made = std::make_unique<Chunk>();
    Chunk* none = nullptr;
    if (chunks_[index / kChunkSize].compare_exchange_strong(none, made.get())) {
      none = made.release();
    }
    return none->slots[index % kChunkSize];
  }

 private:
  static constexpr int32_t kChunkSize = 1024;
  struct Chunk {
    Slot slots[kChunkSize];
  };
  std::atomic<Chunk*> chunks_[TypeTable::kMaxTypes / kChunkSize] = {};
};

}  // namespace tain::internal
