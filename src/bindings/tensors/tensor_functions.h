// SPDX-License-Identifier: Apache-2.0
// The functions that make tensors in Python.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Sets the hooks for arrays.
void InitArrays();
/// Makes the functions of tain.Tensor.
void DefineTensors(nb::module_& m);

}  // namespace tain::bindings
