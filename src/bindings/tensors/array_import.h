// SPDX-License-Identifier: Apache-2.0
// Arrays of Python (numpy, torch, anything with DLPack or a buffer) as Tensors, and back.
#pragma once

#include <string>

#include "base/py.h"
#include "base/state.h"
#include "tain/tensor.h"

namespace tain::bindings {

/// Makes a Tensor that shares the memory of an array. Returns 1 if that is done, 0 if the object is
/// no array or has no counterpart, and -1 with an error set. For a place with the declared type
/// Tensor (`typed`) it takes more: subclasses of numpy.ndarray, objects with a buffer. The reason of
/// a 0 is written to *fault unless it is null.
int TensorFromArray(PyObject* object, bool typed, TainAny* out, std::string* fault) noexcept;
/// Makes a Tensor of a capsule of DLPack, which is used up. Throws nb::python_error, ValueError if
/// the capsule was used before.
TainObject* TensorFromCapsule(PyObject* capsule);
/// Makes a Tensor of an object with `__dlpack__`. Throws nb::python_error.
TainObject* TensorFromDLPackMethod(PyObject* object, nb::handle device, nb::handle copy);
/// Makes a Tensor of an object with a buffer. Returns null and a reason if the format has no
/// counterpart; throws nb::python_error.
TainObject* TensorFromBuffer(PyObject* object, std::string* fault);
/// Returns the record of a class with DLPack's table of C functions, or null. Throws
/// nb::python_error.
const ArrayClass* ArrayClassOf(PyTypeObject* type);
/// Returns the array that a Tensor was made from, if its layout has not changed since: a borrowed
/// reference, or null.
PyObject* ArrayOf(TainObject* tensor) noexcept;
/// Sets the hooks of State.
void InitArrayImport();

}  // namespace tain::bindings
