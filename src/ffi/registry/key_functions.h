// SPDX-License-Identifier: Apache-2.0
// The Functions by which registered objects are keys of maps; object_keys.cc makes them.
#pragma once

#include "tain/any.h"

namespace tain::internal {

/// The Functions that stand in `__any_hash__` and `__any_equal__` of such types.
struct KeyFunctions {
  Any hash, equal;
};
const KeyFunctions& GetKeyFunctions();

/// Whether the value of one of those columns is ours, so that the functions below do the same.
bool IsKeyFunction(const TainAny& attribute) noexcept;

}  // namespace tain::internal
