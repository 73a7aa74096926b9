// SPDX-License-Identifier: Apache-2.0
// Dict<K, V>, a mutable mapping in order of insertion; copies of a handle share it.
//
//   Dict<String, int> a = {{"x", 1}};
//   Dict<String, int> b = a;
//   b.Set("y", 2);             // a sees it: it is the same dict
// A field of type Dict is shared with Python. Entries are checked when they are read, because other
// handles to the same dict may have other types.
#pragma once

#include "tain/container/map_base.h"

namespace tain {

/// The object behind Dict.
class DictObj : public MapBaseObj {
 public:
  TAIN_INTERNAL_BUILTIN_TYPE("ffi.Dict", kTainDict, true);
};

/// A mutable, shared mapping, never null.
template <class K = Any, class V = Any>
class Dict : public internal::MapBase<K, V, kTainDict> {
  using Base = internal::MapBase<K, V, kTainDict>;

 public:
  using ContainerType = DictObj;

  Dict() = default;
  explicit Dict(UnsafeInit tag) noexcept : Base(tag) {}
  Dict(std::initializer_list<std::pair<K, V>> entries) { this->Fill(entries); }
  /// Copies any range of pairs that convert to K and V, such as a Map.
  template <internal::EntryRange<K, V, DictObj> R>
  explicit Dict(R&& range) {
    this->Fill(range);
  }
  template <std::input_iterator It>
  Dict(It first, It last) {
    this->Fill(internal::IteratorRange(std::move(first), std::move(last)));
  }
};

template <class K, class V>
struct TypeTraits<Dict<K, V>> : internal::MapTraits<Dict<K, V>, DictObj, K, V, kTainDict> {};

static_assert(sizeof(Dict<Any, Any>) == sizeof(void*));

}  // namespace tain
