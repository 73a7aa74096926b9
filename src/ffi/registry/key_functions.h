// SPDX-License-Identifier: Apache-2.0
// The Functions that compare and hash registered objects as keys of maps; object_keys.cc makes
// them.
#pragma once

#include "tain/any.h"

namespace tain::internal {

/// The Functions in the columns `__any_hash__` and `__any_equal__` of such types.
struct KeyFunctions {
  Any hash, equal;
};
const KeyFunctions& GetKeyFunctions();

/// Whether the value in one of those columns is one of tain's Functions.
bool IsKeyFunction(const TainAny& attribute) noexcept;

}  // namespace tain::internal
