// SPDX-License-Identifier: Apache-2.0
// std::map and unordered_map cross as Map: a parameter takes any mapping, a result is a Map in the
// iteration order of the C++ map.
#pragma once

#include <map>
#include <unordered_map>
#include <utility>

#include "tain/container/map.h"
#include "tain/internal/stl_traits.h"

namespace tain {
namespace internal {

template <class M, class K, class V>
struct StlMapTraits : StlTraits<M, Map<K, V>, K, V> {
  static int VisitEdges(const M& v, const EdgeVisit& visit) {
    for (const auto& [key, value] : v) {
      if (const int code = VisitEdgesOf<K>(key, visit)) return code;
      if (const int code = VisitEdgesOf<V>(value, visit)) return code;
    }
    return 0;
  }
  static void ClearEdges(M& v) { ElementEdges<M, V>::Clear(v); }
  template <class Given>
  static void Store(Given& v, TainAny* out) {
    auto made = RefAccess::Steal<Object>(MapNew(kTainMap, v.size()));
    for (auto& [key, value] : v) {
      MapSet(RefAccess::Header(made), ToElement<K>(key), ToElement<V>(std::move(value)));
    }
    ObjectToAny(std::move(made), out);
  }
  static bool ReadInto(const TainAny* a, M* out) {
    if constexpr (StlMapTraits::
                      kRefers) {  // what the host makes of other mappings would not live on
      if (!IsMap(Referred(*a).type_index)) return false;
    }
    return MapRead(*a, out, &Take);
  }
  /// Reads an entry into a map.
  static bool Take(void* target, const Any& key_any, const Any& value_any) {
    M& read = *static_cast<M*>(target);
    if constexpr (ReadsInto<K> && ReadsInto<V>) {
      K key{};
      V value{};
      if (!TypeTraits<K>::ReadInto(&key_any.data(), &key)) return false;
      if (!TypeTraits<V>::ReadInto(&value_any.data(), &value)) return false;
      read.insert_or_assign(std::move(key), std::move(value));
    } else {
      std::optional<K> key = TypeTraits<K>::TryCastFromAnyView(&key_any.data());
      if (!key) return false;
      std::optional<V> value = TypeTraits<V>::TryCastFromAnyView(&value_any.data());
      if (!value) return false;
      read.insert_or_assign(*std::move(key), *std::move(value));
    }
    return true;
  }
  static std::string TypeStr() { return GenericStr("Map", kElementType<K>, kElementType<V>); }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return MapMismatch(Referred(*a), kElementType<K>, kElementType<V>, &TypeStr);
  }
};

}  // namespace internal

template <class K, class V, class... Rest>
struct TypeTraits<std::map<K, V, Rest...>> : internal::StlMapTraits<std::map<K, V, Rest...>, K, V> {
};
template <class K, class V, class... Rest>
struct TypeTraits<std::unordered_map<K, V, Rest...>>
    : internal::StlMapTraits<std::unordered_map<K, V, Rest...>, K, V> {};

}  // namespace tain
