// SPDX-License-Identifier: Apache-2.0
// The class tain.Tensor: attributes, exchange, and the protocols of sequences and numbers.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Adds the slots of the class if the type index is that of tensors.
void AddTensorSlots(int32_t type_index, std::vector<PyType_Slot>* slots);

}  // namespace tain::bindings
