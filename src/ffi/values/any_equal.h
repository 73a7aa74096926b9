// SPDX-License-Identifier: Apache-2.0
// Equality of keys where it can be told without running anybody's code.
#pragma once

#include "tain/internal/container_api.h"

namespace tain::internal {

enum class Equality { kDifferent, kEqual, kAskType };

/// Compares bytes and text; kAskType if the type has an `__any_equal__` that must be called.
Equality EqualAtOnce(const TainAny& a, const TainAny& b) noexcept;

/// Whether hashing a key, or comparing it with another one, may run anybody's code.
bool TypeRunsCodeAsKey(int32_t type_index) noexcept;
inline bool RunsCodeAsKey(const TainAny& key) noexcept {
  return key.type_index >= kTainStaticObjectBegin && key.type_index != kTainStr &&
         key.type_index != kTainBytes && TypeRunsCodeAsKey(key.type_index);
}

}  // namespace tain::internal
