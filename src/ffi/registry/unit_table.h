// SPDX-License-Identifier: Apache-2.0
// The data of each unit: its library, its faults, and the journal of its registrations.
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
#include "tain/internal/skipped_functions.h"

namespace tain::internal {

class ErrorRecord;
struct TypeEntry;
struct Unit;

/// The changes that the journal can undo. `previous` is the value before the change.
struct TypeAdded {
  TypeEntry* entry;
};
struct MembersChanged {
  TypeEntry* entry;
  std::shared_ptr<const TypeEntry> previous;  // rare and large
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
  TainAny previous;  ///< the registry keeps it
};
using JournalEntry = std::variant<TypeAdded, MembersChanged, EnumAdded, FunctionSet, AttrSet>;

/// A method that a library calls through its TAIN_VIRTUAL.
struct CalledMethod {
  int32_t type_index;
  std::string_view name;  ///< in the memory of the library, which stays loaded
};

/// A type that a registration used before it was described; see undescribed.h.
struct UndescribedType {
  std::string fault;
  bool (*is_described)();
  const char* used_in;       ///< the source file
  const char* described_in;  ///< the same; null if it is not described
};

/// The place of the declared type of what Python gets, and of the TainCallFlag beside it, if any.
/// It lies in the registry's memory.
struct ArrayPlace {
  TainByteArray* type;
  int32_t* call_flags;
};

/// One library. It lives as long as its registry. The registry's lock guards all but the atomics.
struct Unit {
  const TainUnit* record = nullptr;  ///< null for a library without a record
  std::string name;                  ///< compiled in, else the stem of the file's name
  std::string file;                  ///< the file that was loaded, as the user named it
  std::string opened;                ///< the file that the loader got: `file` or a copy of it
  int32_t build = 1;                 ///< 1 for the first unit of its name, 2 for the next ...
  std::atomic<bool> refused{false};  ///< compiled for another version, or withdrawn
  bool registered = false;           ///< something of it was committed
  bool as_numpy = false;             ///< tensors in its results are arrays of numpy
  bool thread_safe = false;          ///< see thread_rules.h
  std::vector<std::string> faults;   ///< not raised yet
  std::vector<JournalEntry> journal;
  std::vector<SkippedFunction> skipped;                          ///< functions that it left out
  std::vector<CalledMethod> called_methods;                      ///< not checked yet
  std::vector<std::pair<int32_t, std::string>> refused_members;  ///< of the faults: type, name
  std::vector<UndescribedType> undescribed;  ///< of the faults that are not raised yet
  std::vector<const ErrorRecord*> errors;    ///< exception classes that are not checked yet
  std::vector<ArrayPlace> tensor_places;     ///< types that mention Tensor; see array_results.h
  std::vector<int32_t*> silent_calls;        ///< flags of calls; see thread_rules.h
  std::vector<int64_t*> silent_types;        ///< flags of types; see thread_rules.h
  std::vector<int32_t> ignored_types;        ///< description was a fault; ignore the rest
  std::atomic<uint64_t> load{0};             ///< number of its load; 0 for none
  std::atomic<int32_t> open{0};              ///< TainUnitEnter minus TainUnitLeave

  /// Whether something of it is registered.
  bool HasRegistered() const noexcept { return !refused && (registered || !journal.empty()); }
};

/// Returns the file of a unit, which may be null, for messages.
inline std::string FileOfUnit(const Unit* unit) {
  return unit == nullptr ? std::string("another library") : unit->file;
}

/// Whether a registration by `unit` comes from another build of the library `owner`.
inline bool IsOtherBuild(const Unit* owner, const Unit* unit) noexcept {
  return owner != nullptr && unit != nullptr && owner != unit && owner->name == unit->name;
}

/// All units of a registry. Needs the registry's lock.
class UnitTable {
 public:
  Unit* Find(const TainUnit* record) const noexcept;
  /// Adds a unit; `record` may be null.
  Unit* Add(const TainUnit* record, std::string name, std::string file, std::string opened = "");
  const std::vector<std::unique_ptr<Unit>>& all() const noexcept { return units_; }

 private:
  std::vector<std::unique_ptr<Unit>> units_;
  std::unordered_map<const TainUnit*, Unit*> by_record_;
};

/// Whether units wait for RaisePendingFaults (unit.h).
inline constinit std::atomic<bool> units_pending{false};
/// Tells that a unit waits for RaisePendingFaults. Any thread may call it.
void NotePending(const Unit* unit) noexcept;

/// Writes a change to the journal of a unit; does nothing if the unit is null. Needs the lock.
template <class Entry>
inline void Journal(Unit* unit, Entry&& entry) {
  if (unit == nullptr) return;
  unit->journal.emplace_back(std::forward<Entry>(entry));
  NotePending(unit);
}

}  // namespace tain::internal
