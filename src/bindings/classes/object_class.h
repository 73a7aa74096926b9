// SPDX-License-Identifier: Apache-2.0
// tain.Object, the Python base class of every registered type.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The slots of tain.Object, whose type class_factory makes.
PyType_Slot* ObjectSlots();

}  // namespace tain::bindings
