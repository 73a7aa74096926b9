// SPDX-License-Identifier: Apache-2.0
// Look-ups in Map and Dict, and their views.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// Looks up the value of a key in a receiver: 1 if found, 0 if not, -1 with an error set.
int LookUpKey(PyObject* self, PyObject* key, Any* value) noexcept;
Py_ssize_t MapLength(PyObject* self);
int MapContains(PyObject* self, PyObject* key);

/// keys(), values() and items(): views that show later changes of the container.
PyObject* MapKeys(PyObject* self, PyObject*);
PyObject* MapValues(PyObject* self, PyObject*);
PyObject* MapItems(PyObject* self, PyObject*);
/// Makes the classes of the views; throws nb::python_error.
void DefineViews(CoreModule& m);
/// Registers them with the classes of collections.abc, by Python code.
void RegisterViews(CoreModule& m);

}  // namespace tain::bindings
