// SPDX-License-Identifier: Apache-2.0
// The buffer protocol of an Array of numbers, and the conversion of other Arrays to numpy.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Appends the buffer slots of Array.
void AddBufferSlots(std::vector<PyType_Slot>* slots);
/// Appends __array__.
void AddBufferMethods(std::vector<PyMethodDef>* methods);

}  // namespace tain::bindings
