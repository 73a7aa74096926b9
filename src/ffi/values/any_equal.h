// SPDX-License-Identifier: Apache-2.0
// Equality of keys that can be decided without running users' code.
#pragma once

#include "tain/internal/container_api.h"

namespace tain::internal {

enum class Equality { kDifferent, kEqual, kAskType };

/// Compares bytes and text. Returns kAskType if the type has an `__any_equal__` that must be
/// called.
Equality EqualAtOnce(const TainAny& a, const TainAny& b) noexcept;

/// Whether hashing a key, or comparing it with another one, may run users' code.
bool TypeRunsCodeAsKey(int32_t type_index) noexcept;
inline bool RunsCodeAsKey(const TainAny& key) noexcept {
  return key.type_index >= kTainStaticObjectBegin && key.type_index != kTainStr &&
         key.type_index != kTainBytes && TypeRunsCodeAsKey(key.type_index);
}

}  // namespace tain::internal
