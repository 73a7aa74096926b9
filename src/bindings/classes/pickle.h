// SPDX-License-Identifier: Apache-2.0
// Pickling of registered objects: the class, the C++ fields, the Python state.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// What __reduce__ returns; null with an error set.
PyObject* ReduceInstance(PyObject* self) noexcept;
/// Sets fields and Python state from the state that __reduce__ gave; null with an error set.
PyObject* RestoreInstance(PyObject* self, PyObject* state) noexcept;
void InitPickle(nb::module_& m);

}  // namespace tain::bindings
