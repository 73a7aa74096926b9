// SPDX-License-Identifier: Apache-2.0
// std::set and unordered_set cross as Array: a parameter takes any collection and keeps equal
// elements once; a result is an Array in the iteration order of the C++ set.
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
