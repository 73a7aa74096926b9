// SPDX-License-Identifier: Apache-2.0
// Comparison and hash by fields, for types registered with eq(), order() or value_hash().
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Appends the slots for the type's flags; none for types that are compared by identity.
void AddValueSlots(const TainTypeRecord* record, std::vector<PyType_Slot>* slots);

}  // namespace tain::bindings
