// SPDX-License-Identifier: Apache-2.0
// std::set and unordered_set cross as Array: any collection goes in, equal elements once; an Array
// of the elements in the set's own order comes back.
#pragma once

#include <set>
#include <unordered_set>

#include "tain/stl/sequence.h"

namespace tain {

template <class T, class... Rest>
struct TypeTraits<std::set<T, Rest...>>
    : internal::StlCollectionTraits<std::set<T, Rest...>, T, kTainHostCollection> {};
template <class T, class... Rest>
struct TypeTraits<std::unordered_set<T, Rest...>>
    : internal::StlCollectionTraits<std::unordered_set<T, Rest...>, T, kTainHostCollection> {};

}  // namespace tain
