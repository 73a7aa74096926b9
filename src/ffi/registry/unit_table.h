// SPDX-License-Identifier: Apache-2.0
// What is known of each unit: its library, its faults, and the journal of what it registered.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "tain/any.h"
#include "tain/c_api.h"

namespace tain::internal {

struct TypeEntry;
struct Unit;

/// What the journal can take back. `previous` is what stood there before.
struct TypeAdded {
  TypeEntry* entry;
};
struct MembersChanged {
  TypeEntry* entry;
  std::shared_ptr<const TypeEntry> previous;  // seldom, and large
};
struct EnumAdded {
  std::string key;
  const TainEnumInfo* previous;
  Unit* previous_unit;
};
struct FunctionSet {
  std::string name;
  ObjectPtr<Object> previous;
  Unit* previous_unit;
};
struct AttrSet {
  const TainTypeAttrColumn* column;
  int32_t type_index;
  TainAny previous;  ///< kept by the registry
};
using JournalEntry = std::variant<TypeAdded, MembersChanged, EnumAdded, FunctionSet, AttrSet>;

/// A method that a library calls through its TAIN_VIRTUAL.
struct CalledMethod {
  int32_t type_index;
  std::string_view name;  ///< in memory of the library, which stays loaded
};

/// One library. Lives as long as its registry. Guarded by the registry's lock, but for the atomics.
struct Unit {
  const TainUnit* record = nullptr;  ///< null for a library without one
  std::string name;                  ///< compiled in, else the file's stem
  std::string file;                  ///< the file it was loaded from, as the user knows it
  int32_t build = 1;                 ///< 1 for the first unit of its name, then 2 ...
  std::atomic<bool> refused{false};  ///< compiled for another tain, or withdrawn
  bool registered = false;           ///< has registered something that was committed
  std::vector<std::string> faults;   ///< not raised yet
  std::vector<JournalEntry> journal;
  std::vector<CalledMethod> called_methods;  ///< not looked at yet
  std::vector<int32_t> ignored_types;  ///< whose description was a fault: the rest of it is ignored
  std::atomic<uint64_t> load{0};       ///< number of the load it is part of, 0 for none
  std::atomic<int32_t> open{0};        ///< TainUnitEnter minus TainUnitLeave
};

/// All units of a registry. Needs the registry's lock.
class UnitTable {
 public:
  Unit* Find(const TainUnit* record) const noexcept;
  /// A new unit; `record` may be null.
  Unit* Add(const TainUnit* record, std::string name, std::string file);
  const std::vector<std::unique_ptr<Unit>>& all() const noexcept { return units_; }

 private:
  std::vector<std::unique_ptr<Unit>> units_;
  std::unordered_map<const TainUnit*, Unit*> by_record_;
};

/// Whether units wait for RaisePendingFaults (unit.h).
inline constinit std::atomic<bool> units_pending{false};
/// Says that something waits for RaisePendingFaults. Any thread.
void NotePending(const Unit* unit) noexcept;

/// Writes a change to the unit's journal; a unit that is null needs none. Needs the lock.
template <class Entry>
inline void Journal(Unit* unit, Entry&& entry) {
  if (unit == nullptr) return;
  unit->journal.emplace_back(std::forward<Entry>(entry));
  NotePending(unit);
}

}  // namespace tain::internal
