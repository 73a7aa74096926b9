// SPDX-License-Identifier: Apache-2.0
// The functions that make tensors in Python.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Makes the class tain.Tensor and its functions, and sets the hooks of State for arrays.
void InitTensors(nb::module_& m);

}  // namespace tain::bindings
