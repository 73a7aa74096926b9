// SPDX-License-Identifier: Apache-2.0
// Map<K, V>, a mapping in order of insertion with value semantics (copy on write).
//
//   Map<String, int> a = {{"x", 1}, {"y", 2}};
//   Map<String, int> b = a;    // the same object
//   b.Set("x", 3);             // b is a copy now; "x" keeps its place
//   for (auto [key, value] : a) ...
// Changing a Map that is shared (by another handle or a wrapper in Python) copies it first. To
// share changes, use Dict.
#pragma once

#include "tain/container/map_base.h"

namespace tain {

/// The object behind Map.
class MapObj : public MapBaseObj {
 public:
  TAIN_INTERNAL_BUILTIN_TYPE("ffi.Map", kTainMap, true);
};

/// A mapping with copy on write, never null.
template <class K = Any, class V = Any>
class Map : public internal::MapBase<K, V, kTainMap> {
  using Base = internal::MapBase<K, V, kTainMap>;

 public:
  using ContainerType = MapObj;

  Map() = default;
  explicit Map(UnsafeInit tag) noexcept : Base(tag) {}
  Map(std::initializer_list<std::pair<K, V>> entries) { this->Fill(entries); }
  /// Copies any range of pairs that convert to K and V, such as a Dict.
  template <internal::EntryRange<K, V, MapObj> R>
  explicit Map(R&& range) {
    this->Fill(range);
  }
  template <std::input_iterator It>
  Map(It first, It last) {
    this->Fill(internal::IteratorRange(std::move(first), std::move(last)));
  }
  /// Converts from a Map of other types. Shares its object if the entries are stored in the same
  /// way; otherwise makes a new one.
  template <class K2, class V2>
    requires((!std::is_same_v<K, K2> || !std::is_same_v<V, V2>) && std::is_convertible_v<K2, K> &&
             std::is_convertible_v<V2, V>)
  Map(const Map<K2, V2>& other) : Base(UnsafeInit{}) {  // NOLINT: the entries convert
    if constexpr (internal::kStoredAlike<K2, K> && internal::kStoredAlike<V2, V>) {
      ObjectRef::operator=(other);
    } else {
      Map converted;
      converted.Fill(other);
      ObjectRef::operator=(std::move(converted));
    }
  }
};

template <class K, class V>
struct TypeTraits<Map<K, V>> : internal::MapTraits<Map<K, V>, MapObj, K, V, kTainMap> {};

static_assert(sizeof(Map<Any, Any>) == sizeof(void*));

}  // namespace tain
