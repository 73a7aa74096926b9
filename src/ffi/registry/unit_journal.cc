// SPDX-License-Identifier: Apache-2.0
// Ends a transaction: commits the registrations of units, or undoes them and reports the faults.
#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "registry/registry.h"
#include "tain/internal/error_record.h"
#include "tain/internal/type_builder.h"

namespace tain::internal {
namespace {

/// Undoes one entry. Records of the unit's own types stay and are marked dead, because code may
/// hold them already.
struct Undo {
  Registry& registry;

  void operator()(const TypeAdded& added) const {
    added.entry->record.def.flags |= kTainTypeDead;
    added.entry->record.request.flags |= kTainTypeDead;
    added.entry->provisional = nullptr;
    added.entry->Changed();
    registry.types.UnmapKey(added.entry);
  }
  void operator()(const MembersChanged& changed) const {
    TypeEntry* entry = changed.entry;
    TypeEntry before = *changed.previous;
    before.next_child_slot = entry->next_child_slot;  // indices are never reused
    before.capacity = {};  // readers may hold the arrays after `saved`: never reuse them
    before.revision = entry->Revision();
    before.facts = std::atomic_ref(entry->facts).load();
    *entry = before;
    entry->Changed();
  }
  void operator()(const EnumAdded& added) const {
    if (added.previous == nullptr) {
      registry.enums.erase(added.key);
    } else {
      registry.enums[added.key] = {added.previous, added.previous_unit};
    }
  }
  /// The withdrawn function and the previous one are swapped; the former is dropped with the
  /// journal.
  void operator()(FunctionSet& set) const {
    const auto it = registry.functions.find(set.name);
    if (it == registry.functions.end()) return;  // removed since
    it->second.function.swap(set.previous);
    it->second.unit = set.previous_unit;
    if (it->second.function == nullptr) registry.functions.erase(it);
  }
  void operator()(const AttrSet& set) const {
    // The value stays in `kept`, because a reader may have copied it without a lock.
    auto* data = const_cast<TainAny*>(set.column->data);
    data[set.type_index - set.column->begin_index] = set.previous;
    registry.types.Find(set.type_index)->Changed();
  }
};

/// Returns the name that the author wrote: exception classes and constants are stored as functions.
std::string WrittenName(std::string_view function) {
  for (const std::string_view prefix : {kErrorRecordPrefix, kConstantPrefix}) {
    if (function.starts_with(prefix)) function.remove_prefix(prefix.size());
  }
  return std::string(function);
}

void CollectNames(const JournalEntry& entry, std::vector<std::string>& names) {
  std::string name;
  if (const auto* type = std::get_if<TypeAdded>(&entry)) name = std::string(type->entry->key());
  if (const auto* changed = std::get_if<MembersChanged>(&entry)) {
    name = std::string(changed->entry->key());
  }
  if (const auto* added = std::get_if<EnumAdded>(&entry)) name = added->key;
  if (const auto* set = std::get_if<FunctionSet>(&entry)) name = WrittenName(set->name);
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  names.push_back(std::move(name));
}

void CommitUnit(Unit* unit) {
  if (!unit->journal.empty()) unit->registered = true;
  for (const JournalEntry& entry : unit->journal) {
    if (const auto* type = std::get_if<TypeAdded>(&entry)) type->entry->provisional = nullptr;
    if (const auto* changed = std::get_if<MembersChanged>(&entry)) {
      changed->entry->saved_by = nullptr;
    }
  }
}

/// Returns the text of the faults, which end it: the first one is what an author has to mend.
std::string ErrorText(const std::vector<Unit*>& units, const std::vector<std::string>& names) {
  constexpr size_t kShown = 5;
  std::string withdrawn;
  for (size_t i = 0; i < names.size() && i < kShown; ++i) {
    withdrawn += (i == 0 ? ", and what was registered with it is withdrawn (" : ", ") + names[i];
  }
  if (names.size() > kShown) {
    withdrawn += " and " + std::to_string(names.size() - kShown) + " more";
  }
  if (!names.empty()) withdrawn += ")";
  std::string text;
  for (const Unit* unit : units) {
    if (unit->faults.empty()) continue;
    text += text.empty() ? "" : "\n";
    text += unit->file.empty() ? std::string("a library of unknown origin") : unit->file;
    if (unit->name != "") text += " (" + unit->name + ")";
    text += unit->registered ? " made a mistake after it was loaded" : " cannot be used";
    text += std::exchange(withdrawn, "") + ":";
    for (const std::string& fault : unit->faults) text += "\n  - " + fault;
  }
  return text;
}

}  // namespace

std::string SettleUnits(Registry& registry, const std::vector<Unit*>& units) {
  if (units.empty()) return "";
  std::vector<std::vector<JournalEntry>> garbage;  // destroyed after the lock was released
  std::string text;
  {
    std::unique_lock lock(registry.mutex);
    const bool faulty =
        std::any_of(units.begin(), units.end(), [](Unit* unit) { return !unit->faults.empty(); });
    if (faulty) {
      std::vector<std::string> names;
      for (const Unit* unit : units) {
        for (const JournalEntry& entry : unit->journal) CollectNames(entry, names);
      }
      text = ErrorText(units, names);
      for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
        auto& journal = (*unit)->journal;
        for (auto it = journal.rbegin(); it != journal.rend(); ++it)
          std::visit(Undo{registry}, *it);
        // Registrations that were committed earlier stay, and so does the unit.
        if (!(*unit)->registered) (*unit)->refused = true;
        (*unit)->faults.clear();
        (*unit)->ignored_types.clear();
      }
      registry.Touch();
    }
    for (Unit* unit : units) {
      if (!faulty) CommitUnit(unit);
      garbage.push_back(std::move(unit->journal));
      unit->journal.clear();
    }
  }
  return text;
}

}  // namespace tain::internal
