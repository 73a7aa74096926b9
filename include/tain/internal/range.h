// SPDX-License-Identifier: Apache-2.0
// Ranges from which containers are made.
//
// The header <ranges> has the same concepts and takes as long to read as a third of tain's headers;
// <iterator> declares all that is needed here.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "tain/internal/iterators.h"

namespace tain::internal {

template <class R>
using RangeIterator = decltype(std::ranges::begin(std::declval<R&>()));
template <class R>
using RangeReference = std::iter_reference_t<RangeIterator<R>>;

/// std::ranges::input_range
template <class R>
concept InputRange =
    std::input_iterator<RangeIterator<R>> && requires(R& range) { std::ranges::end(range); };

/// Two iterators as a range.
template <std::input_iterator It>
struct IteratorRange {
  It first, last;
  It begin() {
    if constexpr (std::copyable<It>) {
      return first;
    } else {
      return std::move(first);
    }
  }
  It end() const { return last; }
};
template <std::input_iterator It>
IteratorRange(It, It) -> IteratorRange<It>;

/// Returns how many elements a range has; -1 if that cannot be told without reading it.
template <class R>
constexpr int64_t SizeOrUnknown(R& range) {
  if constexpr (requires { std::ranges::size(range); }) {
    return static_cast<int64_t>(std::ranges::size(range));
  } else {
    return -1;
  }
}

}  // namespace tain::internal
