// SPDX-License-Identifier: Apache-2.0
// What Python says of equality and hash of values that the core compares.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Notes that Python classes derive from the class of a type index: their objects as keys of maps
/// are what `__eq__` and `__hash__` say.
void FollowSubclasses(int32_t type_index);
/// Notes which class new mirrors of a type index, and of those that derive from it, get.
void FollowClass(int32_t type_index, PyTypeObject* type);

/// Installs the hooks.
void InitHostEquality();

}  // namespace tain::bindings
