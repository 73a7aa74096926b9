// SPDX-License-Identifier: Apache-2.0
// copy and deepcopy of objects that C++ copies.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Adds `__copy__` to a generated class whose objects C++ can copy, or that must not be copied, and
/// `__deepcopy__` if a pickle would not do.
void AddCopyMethods(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
