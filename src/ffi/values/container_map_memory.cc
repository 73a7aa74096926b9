// SPDX-License-Identifier: Apache-2.0
// Makes, grows, replaces and empties the two forms of a map's memory.
//
// The pairs of a new small map follow the 56 bytes that both forms share, where the dense form has
// its last members. There is room for at least two pairs, so any small map can become a dense map
// in place, also by compiled code of other libraries.
#include "values/container_map_memory.h"

#include <algorithm>
#include <cstring>

#include "tain/container/dict.h"
#include "tain/container/map.h"
#include "values/container_detail.h"

namespace tain::internal {
namespace {

static_assert(sizeof(TainObject) + offsetof(MapCell, fib_shift) == kMapSharedSize);
static_assert(kMapSharedSize + sizeof(MapItem) >= sizeof(MapBaseObj));

void (*DeleterFor(uint64_t pairs) noexcept)(void*, int) {
  switch (pairs) {
    case 1: return &DeleteMap<1>;
    case 2: return &DeleteMap<2>;
    case 3: return &DeleteMap<3>;
    default: return &DeleteMap<4>;
  }
}

/// Makes an object with an empty small map without room, and with a block for `pairs` pairs.
TainObject* MakeObject(int32_t type_index, uint64_t pairs) {
  const size_t size = kMapSharedSize + pairs * sizeof(MapItem) + sizeof(uint64_t);
  void* body = TainObjectAlloc(size, alignof(MapBaseObj), type_index);
  if (TAIN_UNLIKELY(body == nullptr)) throw std::bad_alloc();
  auto* map = ::new (body) MapBaseObj();
  FinishObject(map, type_index, DeleterFor(pairs));
  *MapChangesAt(ObjectAccess::Header(map), pairs) = 0;
  return ObjectAccess::Header(map);
}

TainObject* NewSmall(int32_t type_index, uint64_t pairs) {
  TainObject* map = MakeObject(type_index, pairs);
  MapCell* cell = MapCellOf(map);
  cell->data = reinterpret_cast<char*>(map) + kMapSharedSize;
  cell->num_slots = pairs | kSmallTag;
  return map;
}

TainObject* NewDense(int32_t type_index, uint64_t slots) {
  DenseTable table = DenseTable::Make(slots);
  TainObject* map = nullptr;
  try {
    map = MakeObject(type_index, 1);
  } catch (...) {
    table.Free();
    throw;
  }
  table.Store(MapCellOf(map));
  return map;
}

void DropItem(const MapItem& item) noexcept {
  Drop(item.key);
  Drop(item.value);
}

/// Sets the members that both forms have; the others may be pairs.
void SetShared(MapCell* cell, void* data, uint64_t size, uint64_t slots,
               void (*deleter)(void*)) noexcept {
  cell->data = data;
  cell->size = size;
  cell->num_slots = slots;
  cell->data_deleter = deleter;
}

void DropDense(const MapCell& old) noexcept {
  const DenseTable table(old);
  for (uint64_t slot = table.head(); slot != kMapEnd;) {
    const DenseItem& entry = table.at(slot);
    slot = entry.next;
    DropItem(entry.item);
  }
}

/// The number by which MapPlace remembers what lies before an entry.
uint64_t BeforeOrChanges(const TainObject* map, uint64_t position) noexcept {
  const uint64_t* changes = ChangesOf(map);
  return changes != nullptr ? *changes : MapPrevious(map, position);
}

/// Copies a small map of another library that has more pairs than tain stores in that form.
TainObject* CopyLargeSmall(const TainObject* source, int32_t type_index) {
  const auto copy = RefAccess::Steal<Object>(MapNew(type_index, MapSize(source)));
  EachEntry(const_cast<TainObject*>(source), [&](const Any& key, const Any& value) {
    MapSet(RefAccess::Header(copy), key, value);  // computing hashes may run code
    return true;
  });
  IncRef(RefAccess::Header(copy));
  return RefAccess::Header(copy);
}

}  // namespace

template <size_t kPairs>
void DeleteMap(void* self, int flags) {
  TainObjectDelete(self, flags, [](void* header) {
    auto* map = static_cast<TainObject*>(header);
    ++*MapChangesAt(map, kPairs);  // also keeps linkers from merging the four
    static_cast<MapBaseObj*>(ObjectAccess::FromHeader(map))->MapBaseObj::~MapBaseObj();
  });
}
template void DeleteMap<1>(void* self, int flags);
template void DeleteMap<2>(void* self, int flags);
template void DeleteMap<3>(void* self, int flags);
template void DeleteMap<4>(void* self, int flags);

void GrowSmall(TainObject* map) {
  MapCell* cell = MapCellOf(map);
  void* pairs = std::malloc(kMaxSmall * sizeof(MapItem));
  if (pairs == nullptr) throw std::bad_alloc();
  if (cell->size > 0) std::memcpy(pairs, cell->data, cell->size * sizeof(MapItem));
  if (cell->data_deleter != nullptr) cell->data_deleter(cell->data);
  SetShared(cell, pairs, cell->size, kMaxSmall | kSmallTag, &FreeBlock);
}

void ReplaceByTable(TainObject* map, const DenseTable& table) noexcept {
  CountChange(map);
  MapCell* cell = MapCellOf(map);
  void* old_data = cell->data;
  void (*old_deleter)(void*) = cell->data_deleter;
  table.Store(cell);
  if (old_deleter != nullptr) old_deleter(old_data);
}

void EmptyMap(MapCell* cell) noexcept {
  if (!IsSmall(*cell)) {
    const MapCell old = *cell;
    SetShared(cell, nullptr, 0, kSmallTag, nullptr);
    if (old.num_slots == 0) return;
    DropDense(old);
    if (old.data_deleter != nullptr) old.data_deleter(old.data);
    return;
  }
  const MapItem* pairs = Pairs(*cell);
  const uint64_t size = cell->size;
  void (*deleter)(void*) = cell->data_deleter;
  MapItem local[kMaxSmall];
  if (deleter == nullptr && size > 0 && size <= kMaxSmall) {
    // The pairs are in the object's own block. Dropping one may run code that fills the map again.
    std::memcpy(static_cast<void*>(local), pairs, size * sizeof(MapItem));
    pairs = local;
  }
  void* data = cell->data;
  SetShared(cell, nullptr, 0, kSmallTag, nullptr);
  for (uint64_t i = 0; i < size; ++i) DropItem(pairs[i]);
  if (deleter != nullptr) deleter(data);
}

TainObject* MapNew(int32_t type_index, uint64_t capacity) {
  if (capacity > kMaxSmall) return NewDense(type_index, DenseTable::SlotsFor(capacity));
  // A Dict will probably grow; most Maps are complete when they are made.
  const uint64_t least = type_index == kTainDict ? kMaxSmall : 2;
  return NewSmall(type_index, std::max(capacity, least));
}

TainObject* MapCopy(const TainObject* source, int32_t type_index) {
  const uint64_t size = MapSize(source);
  if (size == 0) return MapNew(type_index, 0);
  const MapCell* from = MapCellOf(source);
  TainObject* copy = nullptr;
  if (IsSmall(*from)) {
    if (size > kMaxSmall) return CopyLargeSmall(source, type_index);
    copy = MapNew(type_index, size);
    std::memcpy(MapCellOf(copy)->data, from->data, size * sizeof(MapItem));
    MapCellOf(copy)->size = size;
  } else {
    copy = NewDense(type_index, from->num_slots);
    MapCell* cell = MapCellOf(copy);
    const uint64_t blocks = (from->num_slots + kBlockSlots - 1) / kBlockSlots;
    std::memcpy(cell->data, from->data, blocks * sizeof(DenseBlock));
    cell->size = from->size;
    cell->head = from->head;
    cell->tail = from->tail;
  }
  for (uint64_t at = MapFirst(copy); at != kMapEnd; at = MapNext(copy, at)) {
    Retain(MapItemAt(copy, at)->key);
    Retain(MapItemAt(copy, at)->value);
  }
  return copy;
}

TainObject* MapForWriting(TainObject* map, int32_t type_index) {
  if (TAIN_UNLIKELY(map == nullptr)) return MapNew(type_index, 0);
  if (type_index == kTainDict || IsUnique(map)) return map;
  if (TainObject* wrapped = CopyWrapped(map)) return wrapped;
  return MapCopy(map, type_index);
}

uint64_t MapFirst(const TainObject* map) noexcept {
  if (MapSize(map) == 0) return kMapEnd;
  const MapCell* cell = MapCellOf(map);
  return IsSmall(*cell) ? 0 : cell->head;
}

uint64_t MapLast(const TainObject* map) noexcept {
  if (MapSize(map) == 0) return kMapEnd;
  const MapCell* cell = MapCellOf(map);
  return IsSmall(*cell) ? cell->size - 1 : cell->tail;
}

uint64_t MapNext(const TainObject* map, uint64_t position) noexcept {
  if (MapItemAt(map, position) == nullptr) return kMapEnd;
  const MapCell* cell = MapCellOf(map);
  if (!IsSmall(*cell)) return DenseTable(*cell).at(position).next;
  return position + 1 < cell->size ? position + 1 : kMapEnd;
}

uint64_t MapPrevious(const TainObject* map, uint64_t position) noexcept {
  if (MapItemAt(map, position) == nullptr) return kMapEnd;
  const MapCell* cell = MapCellOf(map);
  if (!IsSmall(*cell)) return DenseTable(*cell).at(position).previous;
  return position > 0 ? position - 1 : kMapEnd;
}

const MapItem* MapItemAt(const TainObject* map, uint64_t position) noexcept {
  if (MapSize(map) == 0) return nullptr;
  const MapCell* cell = MapCellOf(map);
  if (IsSmall(*cell)) return position < cell->size ? Pairs(*cell) + position : nullptr;
  const DenseTable table(*cell);
  return table.IsEntry(position) ? &table.at(position).item : nullptr;
}

const MapItem* MapStep(const TainObject* map, uint64_t* position) noexcept {
  const uint64_t at = *position;
  const MapCell* cell = MapCellOf(map);
  if (IsSmall(*cell)) {
    if (at >= cell->size) return nullptr;
    *position = at + 1 < cell->size ? at + 1 : kMapEnd;
    return Pairs(*cell) + at;
  }
  const DenseTable table(*cell);
  if (!table.IsEntry(at)) return nullptr;
  *position = table.at(at).next;
  return &table.at(at).item;
}

MapPlace MapPlaceAt(const TainObject* map, uint64_t position) noexcept {
  MapPlace place;
  place.size = MapSize(map);
  const MapItem* item = MapItemAt(map, position);
  if (item == nullptr) return place;
  place.position = position;
  place.before = BeforeOrChanges(map, position);
  place.key = item->key;
  return place;
}

const MapItem* MapItemOf(const TainObject* map, const MapPlace& place) noexcept {
  const MapItem* item = MapItemAt(map, place.position);
  if (item == nullptr || std::memcmp(&item->key, &place.key, sizeof(TainAny)) != 0) return nullptr;
  return item;
}

bool MapStandsAt(const TainObject* map, const MapPlace& place) noexcept {
  if (MapSize(map) != place.size) return false;
  if (place.position == kMapEnd) return true;
  return MapItemOf(map, place) != nullptr && BeforeOrChanges(map, place.position) == place.before;
}

MapPlace MapPlaceAfter(const TainObject* map, const MapPlace& place) {
  if (TAIN_UNLIKELY(!MapStandsAt(map, place))) ThrowMapChanged();
  return MapPlaceAt(map, MapNext(map, place.position));
}

MapPlace MapPlaceBefore(const TainObject* map, const MapPlace& place) {
  if (TAIN_UNLIKELY(!MapStandsAt(map, place))) ThrowMapChanged();
  const bool at_end = place.position == kMapEnd;
  return MapPlaceAt(map, at_end ? MapLast(map) : MapPrevious(map, place.position));
}

}  // namespace tain::internal

namespace tain {

MapBaseObj::MapBaseObj() noexcept
    : cell{nullptr, 0, internal::kSmallTag, nullptr, 0, 0, internal::kMapEnd, internal::kMapEnd} {}

MapBaseObj::~MapBaseObj() { internal::EmptyMap(&cell); }

static_assert(sizeof(MapObj) == 80 && sizeof(DictObj) == 80);

}  // namespace tain
