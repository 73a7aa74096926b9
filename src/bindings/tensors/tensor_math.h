// SPDX-License-Identifier: Apache-2.0
// Comparison, arithmetic and reductions of tain.Tensor, which numpy or the library of the other
// operand computes: python/tain/_tensor_math.py.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Adds the slots of comparison, hash, arithmetic and `in`, and methods such as sum, which are those
/// of numpy's arrays.
void AddMathMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// Returns the elements that a key of numpy's means, such as a mask: a new array. Null with an error
/// set.
PyObject* TensorPick(PyObject* tensor, PyObject* key) noexcept;

}  // namespace tain::bindings
