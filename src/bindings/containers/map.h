// SPDX-License-Identifier: Apache-2.0
// What Map and Dict have in common, and what Dict has beyond it.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Appends slots and methods of both: reading.
void AddMapSlots(std::vector<PyType_Slot>* slots);
void AddMapMethods(std::vector<PyMethodDef>* methods);
/// Appends those of Dict alone: writing.
void AddDictSlots(std::vector<PyType_Slot>* slots);
void AddDictMethods(std::vector<PyMethodDef>* methods);

Py_ssize_t MapLength(PyObject* self);
int MapContains(PyObject* self, PyObject* key);

/// keys(), values() and items(): views that follow the container.
PyObject* MapKeys(PyObject* self, PyObject*);
PyObject* MapValues(PyObject* self, PyObject*);
PyObject* MapItems(PyObject* self, PyObject*);
/// Makes the classes of the views; throws nb::python_error.
void InitViews(nb::module_& m);

}  // namespace tain::bindings
