// SPDX-License-Identifier: Apache-2.0
// Registered objects as keys of maps: by value where their type says so, else by address.
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

/// The result of `__any_hash__`; the address for objects that are equal only to themselves.
uint64_t ObjectKeyHash(TainObject* object);
/// The result of `__any_equal__`, for two objects of one type.
bool ObjectKeysEqual(TainObject* a, TainObject* b);

}  // namespace tain::internal
