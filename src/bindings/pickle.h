// SPDX-License-Identifier: Apache-2.0
// Pickling of registered objects: the class, the C++ fields, the Python state.
#pragma once

#include "py.h"

namespace tain::bindings {

/// What __reduce__ returns; null with an error set.
PyObject* ReduceInstance(PyObject* self) noexcept;
/// The state of an object beside what its constructor must have.
struct ObjectState {
  nb::dict fields;
  nb::object own;  ///< what Python's own pickling keeps: None, __dict__, or (__dict__, slots)
};
ObjectState StateOf(nb::handle self);
/// The second half alone.
nb::object PythonStateOf(nb::handle self);
/// The instance of a class for a new object, whose reference is taken over.
nb::object InstanceFor(PyTypeObject* type, TainObject* object);
/// Whether the class has neither __reduce__ nor __setstate__ of its own.
bool PicklesAsTain(PyTypeObject* type);
/// Sets what StateOf gave; throws nb::python_error.
void RestoreParts(nb::handle self, nb::handle fields, nb::handle own);
/// Sets fields and Python state from the state that __reduce__ gave; null with an error set.
PyObject* RestoreInstance(PyObject* self, PyObject* state) noexcept;
void InitPickle(nb::module_& m);

}  // namespace tain::bindings
