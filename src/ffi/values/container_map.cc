// SPDX-License-Identifier: Apache-2.0
// Map and Dict: look-up, insertion and removal for both forms of their memory.
//
// If the hash or equality of a key runs code, everything read from the map before is invalid; see
// container_map_search.h. From the end of a search to the end of its change no code runs; the
// references that a search holds are dropped afterwards.
#include <cstring>

#include "tain/internal/error_key.h"
#include "tain/internal/value_ops.h"
#include "values/any_equal.h"
#include "values/container_map_memory.h"
#include "values/container_map_search.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

/// Turns the map into a table of at least `slots` slots, with one more entry unless it is null.
/// Runs no code; `hashes` must be correct.
void RebuildTable(TainObject* map, uint64_t slots, KeyHashes& known, const MapItem* added,
                  uint64_t added_hash) {
  std::vector<uint64_t> hashes = std::move(known.all());
  std::vector<MapItem> items;
  items.reserve(hashes.size() + 1);
  for (uint64_t at = MapFirst(map); at != kMapEnd; at = MapNext(map, at)) {
    items.push_back(*MapItemAt(map, at));
  }
  if (added != nullptr) {
    items.push_back(*added);
    hashes.push_back(added_hash);
  }
  while (true) {
    DenseTable table = DenseTable::Make(slots);
    bool done = false;
    try {
      done = table.Build(items, hashes);
    } catch (...) {
      table.Free();
      throw;
    }
    if (done) return ReplaceByTable(map, table);
    table.Free();
    slots *= 2;
  }
}

/// Returns the number of slots for one more entry in a full map.
uint64_t MoreSlots(const TainObject* map) {
  const MapCell* cell = MapCellOf(map);
  return IsSmall(*cell) ? DenseTable::SlotsFor(cell->size + 1) : cell->num_slots * 2;
}

/// Adds an entry whose key is not in the map, at the place in `found`; false if the table must grow
/// first. Runs no code.
TAIN_NOINLINE bool TryInsert(TainObject* map, const MapItem& item, uint64_t hash,
                             const Found& found) {
  MapCell* cell = MapCellOf(map);
  if (IsSmall(*cell)) {
    const uint64_t room = cell->num_slots & ~kSmallTag;
    if (cell->size >= room && room >= kMaxSmall) return false;
    if (cell->size >= room) GrowSmall(map);
    Pairs(*cell)[cell->size++] = item;
    return true;
  }
  DenseTable table(*cell);
  if (table.IsFull() || !table.Insert(hash, item, found.before)) return false;
  cell->size = table.size();
  cell->head = table.head();
  cell->tail = table.tail();
  return true;
}

/// Removes an entry from the map; the caller then owns it.
MapItem RemoveAt(TainObject* map, uint64_t position, uint64_t before) noexcept {
  CountChange(map);
  MapCell* cell = MapCellOf(map);
  if (IsSmall(*cell)) {
    MapItem* place = Pairs(*cell) + position;
    const MapItem item = *place;
    --cell->size;
    std::memmove(static_cast<void*>(place), place + 1, (cell->size - position) * sizeof(MapItem));
    return item;
  }
  DenseTable table(*cell);
  const MapItem item = table.at(position).item;
  table.Remove(position, before);
  cell->size = table.size();
  cell->head = table.head();
  cell->tail = table.tail();
  return item;
}

/// Returns the hash by which FindPlain and TryInsert look for a plain key; small maps need none.
uint64_t SearchHash(const TainObject* map, const TainAny& key) {
  return IsSmall(*MapCellOf(map)) ? 0 : AnyHash(key);
}

/// The treatment of an existing value of the key.
enum class Present { kReplace, kKeep };

/// Does this for the entry at a position; `value` is then the previous value.
void UsePresent(TainObject* map, uint64_t position, Present present, Any* value) noexcept {
  TainAny& place = EntryAt(*MapCellOf(map), position).value;
  if (present == Present::kKeep) {
    *value = Any(AnyView(place));
    return;
  }
  const TainAny old = place;
  place = value->Release();
  *value = Any::Steal(old);
}

/// Adds an entry, taking over key and value, or uses the existing one. Returns whether there was
/// one. May run code.
TAIN_COLD bool SetSlowly(TainObject* map, Any* key, Any* value, Present present) {
  KeySearch search(map, key->data());
  KeyHashes hashes;
  Restarts restarts;
  const uint64_t hash = search.Hash();
  while (true) {
    const Found found = search.Find(&restarts);
    if (found.position != kMapEnd) {
      UsePresent(map, found.position, present, value);
      return true;
    }
    const MapItem item{key->data(), value->data()};
    const bool inserted = TryInsert(map, item, hash, found);
    if (!inserted && !hashes.Collect(map)) {
      restarts.Count();
      continue;
    }
    if (!inserted) RebuildTable(map, MoreSlots(map), hashes, &item, hash);
    key->Release();
    value->Release();
    return false;
  }
}

/// Returns the position of a key that may run code.
TAIN_COLD uint64_t FindSlowly(const TainObject* map, const TainAny& key) {
  const KeepAlive keep(const_cast<TainObject*>(map));  // for its count
  const Any held{AnyView(key)};
  for (Restarts restarts;; restarts.Count()) {
    MapPlace place;
    ContainerVersion version;
    {
      KeySearch search(map, key);
      place = MapPlaceAt(map, search.Find(&restarts).position);
      version = VersionOf(map);
    }
    // The references of the search have been dropped, which may have run code.
    if (keep.IsLast()) ThrowMapChanged();
    const bool there = place.position == kMapEnd || MapItemOf(map, place) != nullptr;
    if (there && VersionOf(map) == version) return place.position;
  }
}

/// Removes the entry of a key that may run code.
TAIN_COLD bool TakeSlowly(TainObject* map, const TainAny& key, MapItem* item) {
  KeySearch search(map, key);
  Restarts restarts;
  search.Hash();
  const Found found = search.Find(&restarts);
  if (found.position == kMapEnd) return false;
  *item = RemoveAt(map, found.position, found.before);
  return true;
}

/// Returns a key in the form of maps: the int or text of a member of an enum.
TainAny PlainKey(const TainAny& key) noexcept {
  HostMember member;
  const bool is_member = key.type_index == kTainOpaquePyObject && HostMemberOf(key, &member);
  return TAIN_UNLIKELY(is_member) ? member.value : key;
}

}  // namespace

uint64_t MapFindPosition(const TainObject* map, const TainAny& given) {
  if (MapSize(map) == 0) return kMapEnd;
  const TainAny key = PlainKey(given);
  if (TAIN_UNLIKELY(RunsCodeAsKey(key))) return FindSlowly(map, key);
  return FindPlain(map, key, SearchHash(map, key)).position;
}

const MapItem* MapFind(const TainObject* map, const TainAny& key) {
  const uint64_t position = MapFindPosition(map, key);
  return position == kMapEnd ? nullptr : &EntryAt(*MapCellOf(map), position);
}

void MapSet(TainObject* map, Any key, Any value) {
  if (TAIN_UNLIKELY(key.type_index() == kTainOpaquePyObject)) {
    key = Any(AnyView(PlainKey(key.data())));
  }
  if (TAIN_LIKELY(!RunsCodeAsKey(key.data()))) {
    const uint64_t hash = SearchHash(map, key.data());
    const Found found = FindPlain(map, key.data(), hash);
    if (found.position != kMapEnd) {
      TainAny& place = EntryAt(*MapCellOf(map), found.position).value;
      const Any old = Any::Steal(place);
      place = value.Release();
      return;
    }
    if (TryInsert(map, {key.data(), value.data()}, hash, found)) {
      key.Release();
      value.Release();
      return;
    }
  }
  SetSlowly(map, &key, &value, Present::kReplace);
}

MapItem* MapRoom(TainObject* map, uint64_t* room) noexcept {
  const MapCell& cell = *MapCellOf(map);
  const uint64_t whole = IsSmall(cell) ? cell.num_slots & ~kSmallTag : 0;
  *room = whole > cell.size ? whole - cell.size : 0;
  return *room == 0 ? nullptr : Pairs(cell) + cell.size;
}

void MapExtend(TainObject* map, uint64_t count) noexcept { MapCellOf(map)->size += count; }

Any MapGetOrSet(TainObject* map, Any key, Any value) {
  if (key.type_index() == kTainOpaquePyObject) key = Any(AnyView(PlainKey(key.data())));
  Any present = value;
  return SetSlowly(map, &key, &present, Present::kKeep) ? present : value;
}

bool MapReplace(TainObject* map, const TainAny& key, Any* value) {
  const uint64_t position = MapFindPosition(map, key);
  if (position == kMapEnd) return false;
  auto* item = const_cast<MapItem*>(MapItemAt(map, position));
  const Any old = Any::Steal(item->value);
  item->value = value->Release();
  return true;
}

bool MapTake(TainObject* map, const TainAny& given, Any* value) {
  if (MapSize(map) == 0) return false;
  const TainAny key = PlainKey(given);
  MapItem item;
  if (TAIN_UNLIKELY(RunsCodeAsKey(key))) {
    if (!TakeSlowly(map, key, &item)) return false;
  } else {
    const Found found = FindPlain(map, key, SearchHash(map, key));
    if (found.position == kMapEnd) return false;
    item = RemoveAt(map, found.position, found.before);
  }
  const Any old_key = Any::Steal(item.key);
  Any old_value = Any::Steal(item.value);
  if (value != nullptr) value->swap(old_value);
  return true;
}

bool MapTakeLast(TainObject* map, Any* key, Any* value) noexcept {
  const uint64_t last = MapLast(map);
  if (last == kMapEnd) return false;
  const MapCell* cell = MapCellOf(map);
  const uint64_t before = IsSmall(*cell) ? kMapEnd : DenseTable(*cell).BeforeInChain(last);
  const MapItem item = RemoveAt(map, last, before);
  *key = Any::Steal(item.key);
  *value = Any::Steal(item.value);
  return true;
}

bool MapErase(TainObject* map, const TainAny& key) { return MapTake(map, key, nullptr); }

void MapReserve(TainObject* map, uint64_t capacity) {
  const KeepAlive keep(map);
  KeyHashes hashes;
  for (Restarts restarts;; restarts.Count()) {
    const MapCell* cell = MapCellOf(map);
    const uint64_t room = cell->num_slots & ~kSmallTag;
    if (IsSmall(*cell) && capacity <= kMaxSmall) {
      if (capacity > room) GrowSmall(map);
      return;
    }
    const uint64_t slots = DenseTable::SlotsFor(capacity);
    if (!IsSmall(*cell) && slots <= room) return;
    if (hashes.Collect(map)) return RebuildTable(map, slots, hashes, nullptr, 0);
  }
}

void MapClear(TainObject* map) noexcept {
  if (MapSize(map) == 0) return;
  const KeepAlive keep(map);
  CountChange(map);
  EmptyMap(MapCellOf(map));
}

void ThrowKeyError(const TainAny& key) {
  std::string shown;
  TainAny text{};
  if (TainAnyRepr(&key, &text) == 0) {
    shown = Any::Steal(text).cast<std::string>();
  } else {
    ForgetUnlessStop();
    shown = "<unprintable " + TypeNameOf(key) + ">";
  }
  try {
    TAIN_THROW(KeyError) << shown;
  } catch (const Error& error) {
    SetMissingKey(error, Any(AnyView(key)));
    throw;
  }
}

void ThrowMapChanged() {
  TAIN_THROW(RuntimeError) << "the Map or Dict changed while it was being read";
}

}  // namespace tain::internal
