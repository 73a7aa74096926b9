// SPDX-License-Identifier: Apache-2.0
// Tensors that other libraries export by DLPack: capsules, `__dlpack__`, tables of C functions.
#pragma once

#include "base/py.h"
#include "tain/tensor.h"
#include "tensors/state.h"

namespace tain::bindings {

/// Makes a Tensor of a capsule of DLPack, which is used up. Throws nb::python_error, ValueError if
/// the capsule was used before.
TainObject* TensorFromCapsule(PyObject* capsule);
/// Makes a Tensor of an object with `__dlpack__`. Throws nb::python_error.
TainObject* TensorFromDLPackMethod(PyObject* object, nb::handle device, nb::handle copy);
/// Makes a Tensor of an object whose class has a table of C functions. Throws nb::python_error.
TainObject* TensorFromTable(PyObject* object, const ArrayClass& cls);

}  // namespace tain::bindings
