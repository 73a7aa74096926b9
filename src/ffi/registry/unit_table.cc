// SPDX-License-Identifier: Apache-2.0
// The data of each unit; see unit_table.h.
#include "registry/unit_table.h"

#include <memory>

namespace tain::internal {

Unit* UnitTable::Find(const TainUnit* record) const noexcept {
  const auto it = by_record_.find(record);
  return it == by_record_.end() ? nullptr : it->second;
}

Unit* UnitTable::Add(const TainUnit* record, std::string name, std::string file,
                     std::string opened) {
  auto unit = std::make_unique<Unit>();
  unit->record = record;
  unit->name = std::move(name);
  unit->opened = opened.empty() ? file : std::move(opened);
  unit->file = std::move(file);
  for (const auto& other : units_) {
    if (!other->refused && other->name == unit->name) unit->build = other->build + 1;
  }
  if (record != nullptr) by_record_.emplace(record, unit.get());
  units_.push_back(std::move(unit));
  return units_.back().get();
}

void NotePending(const Unit* unit) noexcept {
  if (unit->load.load(std::memory_order_relaxed) != 0) return;  // its load settles it
  units_pending.store(true, std::memory_order_release);
}

}  // namespace tain::internal
