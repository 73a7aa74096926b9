// SPDX-License-Identifier: Apache-2.0
// The two forms of a map's memory: making, growing, replacing and emptying them.
#pragma once

#include "tain/internal/container_api.h"
#include "values/container_map_dense.h"

namespace tain::internal {

inline bool IsSmall(const MapCell& cell) noexcept { return (cell.slots & kSmallTag) != 0; }
/// The pairs of the small form, in order of insertion.
inline MapItem* Pairs(const MapCell& cell) noexcept { return static_cast<MapItem*>(cell.data); }

/// The entry at a position where there is one.
inline MapItem& EntryAt(const MapCell& cell, uint64_t position) noexcept {
  return IsSmall(cell) ? Pairs(cell)[position] : DenseTable(cell).at(position).item;
}

/// Makes room for kMaxSmall pairs.
void GrowSmall(TainObject* map);
/// Gives the map a table that holds its entries; the memory they were in is freed. Objects in the
/// small form have room for the larger cell.
void ReplaceByTable(TainObject* map, const DenseTable& table) noexcept;
/// Takes all entries out, then drops them and frees their memory. The map is then in the small form
/// with no room, whichever it was in.
void EmptyMap(MapCell* cell) noexcept;

}  // namespace tain::internal
