// SPDX-License-Identifier: Apache-2.0
// The methods of List that change it, as those of Python's list.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

void AddListMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// list.sort(*, key=None, reverse=False).
PyObject* ListSort(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

}  // namespace tain::bindings
