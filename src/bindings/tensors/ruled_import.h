// SPDX-License-Identifier: Apache-2.0
// Tensors for parameters that take more than a Tensor as it is: those with tain::Convert, and those
// whose elements are structs.
#pragma once

#include "base/py.h"
#include "tain/c_api.h"

namespace tain::bindings {

/// See State::tensor_for_rules.
int TensorForRules(PyObject* object, const void* rules, bool explain, TainAny* out) noexcept;

}  // namespace tain::bindings
