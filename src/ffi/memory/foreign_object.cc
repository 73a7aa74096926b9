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
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/fork.h"
#include "base/guard.h"
#include "memory/live_count.h"

namespace tain::internal {
namespace {

using Deleter = void (*)(void* self, int flags);

struct Entry {
  uintptr_t tie;    ///< as in a prefix; accessed atomically
  Deleter deleter;  ///< the object's original deleter, or null
};

/// Entries are divided among shards so that threads rarely wait. Each lock guards its own entries,
/// and no other code runs while it is held.
struct Shard {
  std::mutex mutex;
  std::unordered_map<const TainObject*, std::unique_ptr<Entry>> entries;
};
constexpr size_t kNumShards = 16;

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
    deleter = it->second->deleter;
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
  std::unique_ptr<Entry>& entry = shard.entries[object];
  if (entry != nullptr) return entry.get();
  try {
    entry = std::make_unique<Entry>(Entry{0, object->deleter});
  } catch (...) {
    shard.entries.erase(object);
    throw;
  }
  DeleterOf(object).store(&DeleteForeign, std::memory_order_release);
  CountLive(object->type_index, 1);
  return entry.get();
}

Entry* FindEntry(TainObject* object) noexcept {
  if (DeleterOf(object).load(std::memory_order_acquire) != &DeleteForeign) return nullptr;
  Shard& shard = ShardOf(object);
  std::lock_guard lock(shard.mutex);
  const auto it = shard.entries.find(object);
  return it == shard.entries.end() ? nullptr : it->second.get();
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
