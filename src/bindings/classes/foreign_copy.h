// SPDX-License-Identifier: Apache-2.0
// copy and deepcopy of objects whose library provides `__ffi_shallow_copy__`.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Adds `__copy__` and `__deepcopy__` to a generated class if the type has that attribute.
void AddForeignCopy(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
