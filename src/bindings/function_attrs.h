// SPDX-License-Identifier: Apache-2.0
// Attributes and methods of tain.Function: name, documentation, signature, pickling by name.
#pragma once

#include "py.h"

namespace tain::bindings {

PyGetSetDef* FunctionGetSet() noexcept;
PyMethodDef* FunctionMethods() noexcept;
/// tp_richcompare and tp_hash: Functions around equal Python callables are equal, and equal to
/// those.
PyObject* CompareFunctions(PyObject* self, PyObject* other, int op) noexcept;
Py_hash_t HashFunction(PyObject* self) noexcept;
/// tp_getattro: `__module__` is that of the class or module that the function belongs to.
PyObject* FunctionGetAttribute(PyObject* self, PyObject* name) noexcept;

}  // namespace tain::bindings
