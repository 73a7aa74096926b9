// SPDX-License-Identifier: Apache-2.0
// Makes, grows, replaces and empties the two forms of a map's memory.
#pragma once

#include "tain/internal/container_api.h"
#include "values/container_map_dense.h"

namespace tain::internal {

inline bool IsSmall(const MapCell& cell) noexcept { return (cell.num_slots & kSmallTag) != 0; }
/// The pairs of the small form, in order of insertion.
inline MapItem* Pairs(const MapCell& cell) noexcept { return static_cast<MapItem*>(cell.data); }

/// The entry at a position, which must have one.
inline MapItem& EntryAt(const MapCell& cell, uint64_t position) noexcept {
  return IsSmall(cell) ? Pairs(cell)[position] : DenseTable(cell).at(position).item;
}

/// Makes room for kMaxSmall pairs.
void GrowSmall(TainObject* map);
/// Replaces the map's memory by a table that holds its entries, and frees the old memory. Objects
/// in the small form have room for the larger cell.
void ReplaceByTable(TainObject* map, const DenseTable& table) noexcept;
/// Removes all entries, then drops them and frees their memory. Afterwards the map is in the small
/// form without room.
void EmptyMap(MapCell* cell) noexcept;

}  // namespace tain::internal
