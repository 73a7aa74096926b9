// SPDX-License-Identifier: Apache-2.0
// Comparison and hash by fields, for types whose registration asks for it: eq(), order(),
// value_hash().
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Appends the slots that the type's flags ask for; nothing for types compared by identity.
void AddValueSlots(const TainTypeRecord* record, std::vector<PyType_Slot>* slots);

}  // namespace tain::bindings
