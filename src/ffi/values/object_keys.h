// SPDX-License-Identifier: Apache-2.0
// Registered objects as keys of maps: by value where their type says so, else by address.
#pragma once

#include "registry/key_functions.h"

namespace tain::internal {

/// The result of `__any_hash__`; the address for objects that are equal only to themselves.
uint64_t ObjectKeyHash(TainObject* object);
/// The result of `__any_equal__`, for two objects of one type.
bool ObjectKeysEqual(TainObject* a, TainObject* b);

}  // namespace tain::internal
