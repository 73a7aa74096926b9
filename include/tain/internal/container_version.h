// SPDX-License-Identifier: Apache-2.0
// How libtain and the bridge notice that a container has changed while other code ran.
//
// The containers that libtain makes count their changes in a word behind the memory that the binary
// contract describes. Adding an element is not counted, because the size shows it, and whatever
// takes the size back to what it was is counted. Code compiled elsewhere writes containers without
// counting, and the containers it makes have no such word: there the other three members must do,
// and whoever goes on at an element looks whether it still is the one that was there.
#pragma once

#include <cstdint>

#include "tain/internal/container_api.h"

namespace tain::internal {

/// What a container looked like. Equal versions of one container: it has not changed in between, as
/// far as can be told.
struct ContainerVersion {
  const void* data;
  uint64_t size;
  uint64_t room;
  uint64_t changes;  ///< 0 if the container does not count

  bool operator==(const ContainerVersion&) const noexcept = default;
};

/// Of an Array, List, Map or Dict.
TAIN_DLL ContainerVersion VersionOf(const TainObject* container) noexcept;
/// To be called by whoever replaces, removes or moves elements through the cell.
TAIN_DLL void CountChange(TainObject* container) noexcept;

/// Whether two values are the same bit by bit.
inline bool IsSameValue(const TainAny& a, const TainAny& b) noexcept {
  return a.type_index == b.type_index && a.small_str_len == b.small_str_len &&
         a.v_uint64 == b.v_uint64;
}

}  // namespace tain::internal
