// SPDX-License-Identifier: Apache-2.0
// What List has beyond reading: the methods of Python's list that change it.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

void AddListSlots(std::vector<PyType_Slot>* slots);
void AddListMethods(std::vector<PyMethodDef>* methods);
/// list.sort(*, key=None, reverse=False).
PyObject* ListSort(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

}  // namespace tain::bindings
