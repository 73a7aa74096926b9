// SPDX-License-Identifier: Apache-2.0
// Keys from the host: a number is looked up with its own type first, then as an equal number of
// another type.
//
// In the binary contract, and so in maps that C++ fills, 1, True and 1.0 are different keys. Hash
// and equality of numbers run no user code, so a map cannot change between these steps.
#include "tain/internal/value_ops.h"
#include "values/number.h"

namespace tain::internal {

const MapItem* MapFindSame(const TainObject* map, const TainAny& key) {
  const MapItem* item = MapFind(map, key);
  if (TAIN_LIKELY(item != nullptr) || !IsNumber(key) || MapSize(map) == 0) return item;
  for (const Any& same : SameNumbers(key)) {
    item = MapFind(map, same.data());
    if (item != nullptr) break;
  }
  return item;
}

bool MapTakeSame(TainObject* map, const TainAny& key, Any* value) {
  if (TAIN_LIKELY(MapTake(map, key, value))) return true;
  if (!IsNumber(key) || MapSize(map) == 0) return false;
  for (const Any& same : SameNumbers(key)) {
    if (MapTake(map, same.data(), value)) return true;
  }
  return false;
}

void MapSetSame(TainObject* map, Any key, Any value) {
  if (IsNumber(key.data()) && MapSize(map) != 0) {
    if (MapReplace(map, key.data(), &value)) return;
    for (const Any& same : SameNumbers(key.data())) {
      if (MapReplace(map, same.data(), &value)) return;
    }
  }
  MapSet(map, std::move(key), std::move(value));
}

}  // namespace tain::internal
