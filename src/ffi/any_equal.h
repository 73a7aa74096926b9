// SPDX-License-Identifier: Apache-2.0
// Equality of values where it can be told without running anybody's code.
#pragma once

#include "tain/internal/container_api.h"

namespace tain::internal {

enum class Equality { kDifferent, kEqual, kAskType };

/// Compares bytes and text; kAskType if the type has an `__any_equal__` that must be called.
Equality EqualAtOnce(const TainAny& a, const TainAny& b) noexcept;

}  // namespace tain::internal
