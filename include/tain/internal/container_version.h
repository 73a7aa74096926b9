// SPDX-License-Identifier: Apache-2.0
// How libtain and the bridge notice that a container has changed while other code ran.
//
// A container made by libtain counts its changes in a word after the memory that the binary
// contract describes. Adding an element is not counted: the size shows it, and the removal that
// restores the size is counted. Code of other libraries changes containers without counting, and
// containers made by it lack this word. Such changes are detected by the other three members, and
// an iteration also checks that the element at its place is still the same one.
#pragma once

#include <cstdint>

#include "tain/internal/container_api.h"

namespace tain::internal {

/// The state of a container at one time. If two versions of a container are equal, no change
/// between them was detected.
struct ContainerVersion {
  const void* data;
  uint64_t size;
  uint64_t room;
  uint64_t changes;  ///< 0 if the container does not count

  bool operator==(const ContainerVersion&) const noexcept = default;
};

/// Returns the version of an Array, List, Map or Dict.
TAIN_DLL ContainerVersion VersionOf(const TainObject* container) noexcept;
/// Counts a change. Code that replaces, removes or moves elements through the cell must call it.
TAIN_DLL void CountChange(TainObject* container) noexcept;

/// Whether two values are the same bit by bit.
inline bool IsSameValue(const TainAny& a, const TainAny& b) noexcept {
  return a.type_index == b.type_index && a.small_str_len == b.small_str_len &&
         a.v_uint64 == b.v_uint64;
}

}  // namespace tain::internal
