// SPDX-License-Identifier: Apache-2.0
// Registered objects as keys of maps: by value if their type asks for it, else by address.
#pragma once

#include "registry/key_functions.h"

namespace tain::internal {

/// Returns the result of `__any_hash__`; the address for objects that equal only themselves.
uint64_t ObjectKeyHash(TainObject* object);
/// Returns the result of `__any_equal__` for two objects of one type.
bool ObjectKeysEqual(TainObject* a, TainObject* b);

}  // namespace tain::internal
