// SPDX-License-Identifier: Apache-2.0
// tain.Object, the Python base class of every registered type.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Returns the slots of tain.Object; class_factory makes the type.
std::vector<PyType_Slot> ObjectSlots();

}  // namespace tain::bindings
