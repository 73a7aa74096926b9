// SPDX-License-Identifier: Apache-2.0
// Equality and hash by Python's `__eq__` and `__hash__`, for the core.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Tells the core that Python classes derive from the class of a type index, so `__eq__` and
/// `__hash__` of a class may decide which objects are the same key.
void FollowSubclasses(int32_t type_index);
/// Tells the core the class of new wrappers of a type index and of the types that derive from it.
void FollowClass(int32_t type_index, PyTypeObject* type);

/// Installs the hooks.
void InitHostEquality();

}  // namespace tain::bindings
