// SPDX-License-Identifier: Apache-2.0
// An Array of numbers as memory: the buffer protocol, and what numpy makes of other Arrays.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Appends the buffer slots of Array.
void AddBufferSlots(std::vector<PyType_Slot>* slots);
/// Appends __array__.
void AddBufferMethods(std::vector<PyMethodDef>* methods);

}  // namespace tain::bindings
