// SPDX-License-Identifier: Apache-2.0
// The buffer protocol of an Array of numbers, and the conversion of other Arrays to numpy.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Adds the buffer slots of Array, __bytes__ and __array__.
void AddBufferMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);

}  // namespace tain::bindings
