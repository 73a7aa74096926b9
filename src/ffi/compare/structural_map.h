// SPDX-License-Identifier: Apache-2.0
// The entries of a map in an order that does not depend on that of insertion.
//
// Entries whose keys are plain values (numbers, texts, None, types, devices) are sorted by key. The
// others follow in order of insertion, because objects have no order.
#pragma once

#include <vector>

#include "tain/any.h"

namespace tain::internal {

/// An entry of a map.
struct MapEntry {
  Any key;
  Any value;
};

struct SortedEntries {
  std::vector<MapEntry> entries;
  size_t num_plain = 0;  ///< entries with plain keys, which come first
};

/// Copies and sorts the entries of a map.
SortedEntries SortedEntriesOf(const TainObject* map);

}  // namespace tain::internal
