// SPDX-License-Identifier: Apache-2.0
// copy and deepcopy of objects that C++ copies.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Gives tain.Object `__copy__` and `__deepcopy__`; call it when the class exists.
void InitObjectCopy();

}  // namespace tain::bindings
