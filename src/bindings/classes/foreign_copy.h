// SPDX-License-Identifier: Apache-2.0
// copy and deepcopy of objects whose library says how they are copied (`__ffi_shallow_copy__`).
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Gives a generated class `__copy__` and `__deepcopy__` if the type has that attribute.
void AddForeignCopy(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
