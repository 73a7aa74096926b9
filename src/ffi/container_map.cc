// SPDX-License-Identifier: Apache-2.0
// Map and Dict: search, insertion and removal over both forms of their memory.
//
// The hash and equality of a key can run anybody's code, which may change the very map that is
// being searched. So hashes are taken before anything is written, and after each call of a custom
// equality the map is compared with what it was.
#include <cstring>

#include "any_equal.h"
#include "container_detail.h"
#include "container_map_dense.h"
#include "container_map_memory.h"
#include "got.h"

namespace tain::internal {
namespace {

/// Where a search ended.
struct Found {
  uint64_t position = kMapEnd;
  uint64_t before = kMapEnd;  ///< dense: the member of the chain before it
};

/// What must not change while foreign code runs; keeps the map's memory until it has looked.
class Snapshot {
 public:
  explicit Snapshot(const TainObject* map) noexcept
      : keep_(const_cast<TainObject*>(map)),
        map_(map),
        data_(MapCellOf(map)->data),
        size_(MapCellOf(map)->size),
        slots_(MapCellOf(map)->slots) {}
  void Check() const {
    const MapCell* cell = MapCellOf(map_);
    const bool changed = cell->data != data_ || cell->size != size_ || cell->slots != slots_;
    if (changed || keep_.IsLast()) ThrowMapChanged();
  }

 private:
  KeepAlive keep_;
  const TainObject* map_;
  const void* data_;
  uint64_t size_;
  uint64_t slots_;
};

/// Whether the key of an entry is `key`; asks the type if it must.
bool KeyIs(const TainObject* map, const TainAny& entry, const TainAny& key) {
  const Equality at_once = EqualAtOnce(entry, key);
  if (TAIN_LIKELY(at_once != Equality::kAskType)) return at_once == Equality::kEqual;
  const Snapshot before(map);
  const Any held{AnyView(entry)};  // the entry may be removed meanwhile
  const bool equal = AnyEqual(held.data(), key);
  before.Check();
  return equal;
}

Found Search(const TainObject* map, const TainAny& key, uint64_t hash) {
  Found found;
  const MapCell* cell = MapCellOf(map);
  if (IsSmall(*cell)) {
    for (uint64_t i = 0; i < cell->size; ++i) {
      if (KeyIs(map, Pairs(*cell)[i].key, key)) {
        found.position = i;
        return found;
      }
    }
    return found;
  }
  const DenseTable table(*cell);
  uint64_t slot = table.Home(hash);
  if (!table.IsHead(slot)) return found;
  while (slot != kMapEnd) {
    if (KeyIs(map, table.at(slot).item.key, key)) {
      found.position = slot;
      return found;
    }
    found.before = slot;
    slot = table.NextInChain(slot);
  }
  return found;
}

/// The small form is searched without a hash; the caller looks again at what hashing may change.
uint64_t HashIfDense(const TainObject* map, const TainAny& key) {
  return IsSmall(*MapCellOf(map)) ? 0 : AnyHash(key);
}

/// Hashes of all keys in order; notices if taking one changed the map.
std::vector<uint64_t> AllHashes(const TainObject* map) {
  std::vector<uint64_t> hashes;
  hashes.reserve(MapSize(map));
  const Snapshot before(map);
  for (uint64_t at = MapFirst(map); at != kMapEnd; at = MapNext(map, at)) {
    const Any held{AnyView(MapItemAt(map, at)->key)};
    hashes.push_back(AnyHash(held.data()));
    before.Check();
  }
  return hashes;
}

/// Turns the map into a table of at least `slots` slots.
void Rebuild(TainObject* map, uint64_t slots) {
  const std::vector<uint64_t> hashes = AllHashes(map);
  std::vector<MapItem> items;
  items.reserve(hashes.size());
  for (uint64_t at = MapFirst(map); at != kMapEnd; at = MapNext(map, at)) {
    items.push_back(*MapItemAt(map, at));
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

/// Adds an entry whose key is not there; false if the table must grow first. Runs no foreign code
/// after the check that nothing has changed.
bool TryInsert(TainObject* map, const MapItem& item, uint64_t hash) {
  MapCell* cell = MapCellOf(map);
  if (IsSmall(*cell)) {
    const uint64_t room = cell->slots & ~kSmallTag;
    if (cell->size >= room && room >= kMaxSmall) return false;
    if (cell->size >= room) GrowSmall(map);
    Pairs(*cell)[cell->size++] = item;
    return true;
  }
  DenseTable table(*cell);
  if (table.IsFull()) return false;
  uint64_t intruder_hash = 0;
  if (table.IsIntruder(table.Home(hash))) {
    const Snapshot before(map);
    const Any intruder{AnyView(table.at(table.Home(hash)).item.key)};
    intruder_hash = AnyHash(intruder.data());
    before.Check();
  }
  if (!table.Insert(hash, item, intruder_hash)) return false;
  cell->size = table.size();
  cell->head = table.head();
  cell->tail = table.tail();
  return true;
}

void InsertNew(TainObject* map, const MapItem& item, uint64_t hash) {
  while (!TryInsert(map, item, hash)) {
    const MapCell* cell = MapCellOf(map);
    if (IsSmall(*cell)) {
      Rebuild(map, DenseTable::SlotsFor(cell->size + 1));
    } else {
      Rebuild(map, cell->slots * 2);
    }
  }
}

/// Takes an entry out of the map; the caller owns it then.
MapItem RemoveAt(TainObject* map, const Found& found) noexcept {
  MapCell* cell = MapCellOf(map);
  if (IsSmall(*cell)) {
    MapItem* place = Pairs(*cell) + found.position;
    const MapItem item = *place;
    --cell->size;
    std::memmove(static_cast<void*>(place), place + 1,
                 (cell->size - found.position) * sizeof(MapItem));
    return item;
  }
  DenseTable table(*cell);
  const MapItem item = table.at(found.position).item;
  table.Remove(found.position, found.before);
  cell->size = table.size();
  cell->head = table.head();
  cell->tail = table.tail();
  return item;
}

/// A key as maps have it: a member of an enum is its int or text there.
TainAny PlainKey(const TainAny& key) noexcept {
  HostMember member;
  const bool is_member = key.type_index == kTainOpaquePyObject && HostMemberOf(key, &member);
  return TAIN_UNLIKELY(is_member) ? member.value : key;
}

}  // namespace

uint64_t MapFindPosition(const TainObject* map, const TainAny& given) {
  if (MapSize(map) == 0) return kMapEnd;
  const TainAny key = PlainKey(given);
  const uint64_t hash = HashIfDense(map, key);
  if (MapSize(map) == 0) return kMapEnd;
  return Search(map, key, hash).position;
}

const MapItem* MapFind(const TainObject* map, const TainAny& key) {
  return MapItemAt(map, MapFindPosition(map, key));
}

void MapSet(TainObject* map, Any key, Any value) {
  if (TAIN_UNLIKELY(key.type_index() == kTainOpaquePyObject)) {
    key = Any(AnyView(PlainKey(key.data())));
  }
  const uint64_t hash = AnyHash(key.data());
  const Found found = Search(map, key.data(), hash);
  if (found.position != kMapEnd) {
    auto* item = const_cast<MapItem*>(MapItemAt(map, found.position));
    const Any old = Any::Steal(item->value);
    item->value = value.Release();
    return;
  }
  InsertNew(map, {key.data(), value.data()}, hash);
  key.Release();
  value.Release();
}

bool MapTake(TainObject* map, const TainAny& given, Any* value) {
  if (MapSize(map) == 0) return false;
  const TainAny key = PlainKey(given);
  const uint64_t hash = AnyHash(key);
  const Found found = Search(map, key, hash);
  if (found.position == kMapEnd) return false;
  const MapItem item = RemoveAt(map, found);
  const Any old_key = Any::Steal(item.key);
  Any old_value = Any::Steal(item.value);
  if (value != nullptr) value->swap(old_value);
  return true;
}

bool MapErase(TainObject* map, const TainAny& key) { return MapTake(map, key, nullptr); }

void MapReserve(TainObject* map, uint64_t capacity) {
  const MapCell* cell = MapCellOf(map);
  const uint64_t room = cell->slots & ~kSmallTag;
  if (IsSmall(*cell) && capacity <= kMaxSmall) {
    if (capacity > room) GrowSmall(map);
    return;
  }
  const uint64_t slots = DenseTable::SlotsFor(capacity);
  if (IsSmall(*cell) || slots > room) Rebuild(map, slots);
}

void MapClear(TainObject* map) noexcept {
  if (MapSize(map) == 0) return;
  const KeepAlive keep(map);
  EmptyMap(MapCellOf(map));
}

void ThrowKeyError(const TainAny& key) {
  TainAny text{};
  if (TainAnyRepr(&key, &text) != 0) {
    ForgetUnlessStop();
    TAIN_THROW(KeyError) << "<unprintable " << TypeNameOf(key) << ">";
  }
  const Any owned = Any::Steal(text);
  TAIN_THROW(KeyError) << owned.cast<std::string>();
}

void ThrowMapChanged() {
  TAIN_THROW(RuntimeError) << "the Map or Dict changed while it was being read";
}

}  // namespace tain::internal
