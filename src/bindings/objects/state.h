// SPDX-License-Identifier: Apache-2.0
// The state of classes, enums and objects in use. See base/state.h for its lifetime and its lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/state.h"

namespace tain::bindings {

class LastingUse;
struct ClassRecord;
struct EnumRecord;

/// The objects in use by calls under way, once for each use (in_flight.h); borrowed from the calls.
struct UsedList {
  static constexpr size_t kFirstRoom = 64;

  const TainObject* first_room[kFirstRoom] = {};
  const TainObject** begin = first_room;  ///< null is stored there, before the first use
  const TainObject** end = first_room + 1;
  const TainObject** limit = first_room + kFirstRoom;
  size_t num_unlisted = 0;  ///< uses for which there was no memory
};

/// The classes by type index. Read without a lock; entered under it.
class ClassTable {
 public:
  /// Returns the class of a type index; null until it is made.
  ClassRecord* Find(int32_t type_index) const noexcept {
    const auto at = static_cast<size_t>(type_index);
    if (at >= size_.load(std::memory_order_acquire)) return nullptr;
    return entries_.load(std::memory_order_acquire)[at].load(std::memory_order_acquire);
  }
  /// Throws std::bad_alloc.
  void Enter(int32_t type_index, ClassRecord* record) {
    const auto at = static_cast<size_t>(type_index);
    if (at >= size_.load(std::memory_order_relaxed)) Grow(at + 1);
    entries_.load(std::memory_order_relaxed)[at].store(record, std::memory_order_release);
    order_.push_back(record);
  }
  /// All classes, in the order in which they were entered.
  const std::vector<ClassRecord*>& Entered() const noexcept { return order_; }

 private:
  using Entry = std::atomic<ClassRecord*>;

  void Grow(size_t wanted) {
    const size_t before = size_.load(std::memory_order_relaxed);
    constexpr size_t kFirst = 256;
    const size_t size = std::max({kFirst, 2 * before, wanted});
    auto grown = std::make_unique<Entry[]>(size);
    for (size_t i = 0; i < before; ++i)
      grown[i] = entries_.load(std::memory_order_relaxed)[i].load();
    parts_.push_back(std::move(grown));
    // Whoever reads the new size reads the new part, too.
    entries_.store(parts_.back().get(), std::memory_order_release);
    size_.store(size, std::memory_order_release);
  }
  std::atomic<size_t> size_{0};
  std::atomic<Entry*> entries_{nullptr};
  std::vector<std::unique_ptr<Entry[]>> parts_;  ///< former ones too: others may be reading them
  std::vector<ClassRecord*> order_;
};

/// What a class, or a class above it, stands for (class_table.h).
using ClassMap = std::unordered_map<PyTypeObject*, std::atomic<ClassRecord*>>;
using KnownClass = ClassMap::value_type;

/// A class written in Python, and its set of overrides (override_sets.h). Whoever holds the class may read
/// the atomics without a lock: `type` is written last.
struct OverrideSetOwner {
  /// Borrowed until its weak reference dies; null if the set is free.
  std::atomic<PyTypeObject*> type{nullptr};
  PyObject* weak = nullptr;  ///< a weak reference to it, whose callback frees the set
  bool is_virtual = false;   ///< C++ calls methods of it
  // What was found out of the class while it had a version; 0 for none.
  std::atomic<ClassRecord*> record{nullptr};    ///< of the generated class above it
  std::atomic<uint32_t> version_of_record{0};   ///< no entry in the map of classes, and this record
  std::atomic<uint32_t> version_of_nothing{0};  ///< an empty instance needs nothing but its memory
};

/// The sets of overrides and their classes. Entries live as long as their classes.
struct OverrideSetTable {
  static constexpr uint32_t kFirst = kTainOverrideSetAsk + 1;

  /// By index; null until there is a set: it is large. Never freed.
  std::atomic<OverrideSetOwner*> owners{nullptr};
  std::unordered_map<PyTypeObject*, uint32_t> index_of;
  std::array<std::atomic<uint32_t>, 64> recent{};  ///< before the map, by address; no lock to read
  uint32_t without_virtual = 0;  ///< how many sets belong to classes that only compare and hash
  uint32_t next = kFirst;        ///< where to look for a free one: the longest unused comes first
  PyObject* on_death = nullptr;  ///< the callback of the weak references, once there is one
};

/// The enum found for a place in C++ that names one (by an address that stays).
struct EnumCacheEntry {
  const char* key = nullptr;
  uint64_t generation = 0;  ///< of the registry when it was found
  const EnumRecord* record = nullptr;
};

/// The enums that have Python classes (enums.h).
struct EnumTable {
  std::unordered_map<std::string, const EnumRecord*> records;  ///< the newest of each key
  std::unordered_map<PyObject*, const TainEnumInfo*> info_of_class;
  std::array<EnumCacheEntry, 64> cache{};  ///< emptied when a class is entered
  PyObject* str_enum = nullptr;            ///< the counterpart of enum.StrEnum before CPython 3.11
};

/// The meanings found for names (found_names.h). An owner is borrowed: it is held by its own dict,
/// or takes itself out when it dies.
struct FoundNames {
  std::unordered_map<PyObject*, PyObject*> dicts;  ///< owner -> dict of its names; owned
  uint64_t generation = 0;                         ///< of the registry, when they were found
  uint64_t changes = 0;                            ///< how often all names were forgotten
  PyTypeObject* library_type = nullptr;            ///< the class of the modules of libraries
  getattrofunc library_getattro = nullptr;         ///< its look-up, which keeps nothing
};

/// Classes and enums, and the objects that calls under way use.
struct ObjectsState {
  ObjectsState() {
    for (auto& entry : class_cache) entry.store(&no_class, std::memory_order_relaxed);
  }

  // Tables that grow with what is registered and used. The bridge enters a class once, in the
  // order in which it becomes complete.
  ClassTable classes;
  ClassMap class_of_type;  ///< generated and registered classes, which never die
  EnumTable enums;
  OverrideSetTable override_sets;

  // Caches: any entry may be lost at any time.
  const KnownClass no_class{nullptr, nullptr};  ///< stands in empty entries of the next one
  std::array<std::atomic<const KnownClass*>, 256> class_cache{};  ///< may be read without a lock
  FoundNames found_names;

  PyTypeObject* moved_type = nullptr;  ///< of what `x._move()` returns

  // Calls under way. Entries live as long as their calls, of whatever thread.
  UsedList used;
  LastingUse* lasting_uses = nullptr;  ///< the first one; each takes itself out
};
inline TAIN_HIDDEN Eternal<ObjectsState> objects_state;

inline ObjectsState& GetObjectsState() noexcept { return objects_state.value; }

}  // namespace tain::bindings
