// SPDX-License-Identifier: Apache-2.0
// Ties of objects without prefix, in a table.
//
// An entry lives from the first time that a host sees the object until the object dies. During this
// time tain's deleter replaces the object's deleter, so tain learns of the object's death; it
// cannot do so by the counts, which code compiled elsewhere changes. The deleter is replaced while
// a strong reference is held, so the code that drops the last reference sees the new deleter.
#include "memory/foreign_object.h"

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/fork.h"
#include "base/guard.h"
#include "memory/live_count.h"

namespace tain::internal {
namespace {

using Deleter = void (*)(void* self, int flags);

/// Memory of an entry is used again for other entries, and never freed: who holds an object may read any
/// entry to see whether it is that of the object.
struct Entry {
  std::atomic<const TainObject*> object;  ///< null if the entry is free
  uintptr_t tie;                          ///< as in a prefix; accessed atomically
  Deleter deleter;                        ///< the object's original deleter, or null
  Entry* next_free;
};

/// Entries are divided among shards so that threads rarely wait. Each lock guards its own entries,
/// and no other code runs while it is held.
struct Shard {
  std::mutex mutex;
  std::unordered_map<const TainObject*, Entry*> entries;
  Entry* free = nullptr;
};
constexpr size_t kNumShards = 16;

/// Where the entry of an object is expected, by some bits of its address. Read without a lock.
constexpr size_t kNumExpected = 256;
constinit std::array<std::atomic<Entry*>, kNumExpected> expected_entries{};

std::atomic<Entry*>& ExpectedPlace(const TainObject* object) noexcept {
  const auto address = reinterpret_cast<uintptr_t>(object);
  return expected_entries[(address >> 4 ^ address >> 12) % kNumExpected];
}

std::array<Shard, kNumShards>& Shards() noexcept {
  return NeverDestroyed<std::array<Shard, kNumShards>>();
}

Shard& ShardOf(const TainObject* object) noexcept {
  return Shards()[(reinterpret_cast<uintptr_t>(object) >> 6) % kNumShards];
}

std::atomic_ref<Deleter> DeleterOf(TainObject* object) noexcept {
  return std::atomic_ref<Deleter>(object->deleter);
}

void DeleteForeign(void* self, int flags) noexcept {
  auto* object = static_cast<TainObject*>(self);
  if (HandBackIfOwned(object, flags)) return;
  Deleter deleter = nullptr;
  {
    Shard& shard = ShardOf(object);
    std::lock_guard lock(shard.mutex);
    const auto it = shard.entries.find(object);
    if (it == shard.entries.end()) return;
    Entry* entry = it->second;
    deleter = entry->deleter;
    entry->object.store(nullptr, std::memory_order_release);
    entry->next_free = std::exchange(shard.free, entry);
    shard.entries.erase(it);
  }
  CountLive(object->type_index, -1);
  DeleterOf(object).store(deleter, std::memory_order_release);  // it handles weak references again
  if (deleter == nullptr) return;
  const ForeignDeletion scope;
  deleter(self, flags);
}

/// Returns the entry of an object and makes it if necessary. Throws bad_alloc.
Entry* EntryOf(TainObject* object) {
  Shard& shard = ShardOf(object);
  std::lock_guard lock(shard.mutex);
  if (shard.free == nullptr) shard.free = new Entry{};
  const auto [place, is_new] = shard.entries.try_emplace(object, shard.free);
  Entry* entry = place->second;
  if (!is_new) return entry;
  shard.free = entry->next_free;
  entry->tie = 0;
  entry->deleter = object->deleter;
  entry->object.store(object, std::memory_order_release);
  DeleterOf(object).store(&DeleteForeign, std::memory_order_release);
  ExpectedPlace(object).store(entry, std::memory_order_release);
  CountLive(object->type_index, 1);
  return entry;
}

Entry* FindEntry(TainObject* object) noexcept {
  if (DeleterOf(object).load(std::memory_order_acquire) != &DeleteForeign) return nullptr;
  std::atomic<Entry*>& expected = ExpectedPlace(object);
  Entry* entry = expected.load(std::memory_order_acquire);
  if (TAIN_LIKELY(entry != nullptr && entry->object.load(std::memory_order_acquire) == object)) {
    return entry;
  }
  Shard& shard = ShardOf(object);
  std::lock_guard lock(shard.mutex);
  const auto it = shard.entries.find(object);
  if (it == shard.entries.end()) return nullptr;
  expected.store(it->second, std::memory_order_release);
  return it->second;
}

}  // namespace

constinit const ForkSteps foreign_object_fork = StepsFor<&Shards>();

}  // namespace tain::internal

extern "C" uintptr_t* TainForeignTie(TainObject* object, int create) noexcept {
  using namespace tain::internal;
  if (object == nullptr || (TainObjectWordOf(object) & kTainHeaderHasPrefix) != 0) return nullptr;
  Entry* entry = FindEntry(object);
  if (entry == nullptr && create != 0) GuardVoid([&] { entry = EntryOf(object); });
  return entry == nullptr ? nullptr : &entry->tie;
}
