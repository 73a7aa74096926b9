// SPDX-License-Identifier: Apache-2.0
// The boxes by the places of their objects: one C++ object has one box while that lives.
#pragma once

#include "tain/internal/box.h"

namespace tain::internal {

/// Returns the box of an object of a type, or of a type derived from it, that can be given to Python:
/// rather one that owns its object. Null if there is none; not one whose object is lent or over, and
/// one that ends with a loan only if `may_depend` is set.
ObjectPtr<Object> FindBoxAt(const void* target, int32_t type_index, bool may_depend) noexcept;

}  // namespace tain::internal
