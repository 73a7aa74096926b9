// SPDX-License-Identifier: Apache-2.0
// Sorts the entries of a map; see structural_map.h.
#include "compare/structural_map.h"

#include <algorithm>
#include <iterator>

#include "tain/internal/container_api.h"

namespace tain::internal {
namespace {

bool IsPlainKey(const TainAny& key) noexcept {
  return key.type_index < kTainStaticObjectBegin || key.type_index == kTainStr ||
         key.type_index == kTainBytes;
}

/// Returns the type of a key; small and large texts are one type.
int32_t KeyKind(const TainAny& key) noexcept {
  if (key.type_index == kTainSmallStr) return kTainStr;
  return key.type_index == kTainSmallBytes ? static_cast<int32_t>(kTainBytes) : key.type_index;
}

bool KeyBefore(const TainAny& a, const TainAny& b) noexcept {
  const int32_t kind = KeyKind(a);
  if (kind != KeyKind(b)) return kind < KeyKind(b);
  std::string_view x, y;
  if (TextOf(&a, &x) || BytesOf(&a, &x)) {
    if (!TextOf(&b, &y)) BytesOf(&b, &y);
    return x < y;
  }
  return a.v_uint64 < b.v_uint64;
}

}  // namespace

SortedEntries SortedEntriesOf(const TainObject* map) {
  SortedEntries sorted;
  sorted.entries.reserve(MapSize(map));
  std::vector<MapEntry> others;  // in the order of the map
  uint64_t position = MapFirst(map);
  while (const MapItem* item = MapStep(map, &position)) {
    auto& list = IsPlainKey(item->key) ? sorted.entries : others;
    list.push_back({Any(AnyView(item->key)), Any(AnyView(item->value))});
  }
  sorted.num_plain = sorted.entries.size();
  const auto plain_end = sorted.entries.end();
  std::sort(sorted.entries.begin(), plain_end, [](const MapEntry& a, const MapEntry& b) {
    return KeyBefore(a.key.data(), b.key.data());
  });
  std::move(others.begin(), others.end(), std::back_inserter(sorted.entries));
  return sorted;
}

}  // namespace tain::internal
