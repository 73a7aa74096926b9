// SPDX-License-Identifier: Apache-2.0
// Pickling of registered objects: the class, the C++ fields, the Python state.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// __reduce__: null with an error set.
PyObject* ReduceWrapper(PyObject* self, PyObject*) noexcept;
/// Restores fields and Python state from the state that __reduce__ returned; null with an error
/// set.
PyObject* RestoreWrapper(PyObject* self, PyObject* state) noexcept;
/// Makes an object of a class from the fields that its constructor needs, and others; throws
/// nb::python_error.
nb::object RebuildObject(nb::handle cls, nb::dict fields);

}  // namespace tain::bindings
