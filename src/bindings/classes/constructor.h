// SPDX-License-Identifier: Apache-2.0
// Construction: Cls(...) of generated classes and their Python subclasses.
#pragma once

#include "base/py.h"

namespace tain::bindings {

PyObject* InstanceNew(PyTypeObject* type, PyObject* args, PyObject* kwargs);
int InstanceInit(PyObject* self, PyObject* args, PyObject* kwargs);
/// The implementation of __init__: makes the C++ object of a wrapper; -1 with an error set.
int Initialize(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept;
/// Calls `self.__post_init__(...)`, which may assign the fields of a frozen type. Returns a new
/// reference.
PyObject* PostInit(PyObject* self, PyObject* const* args, size_t num_args) noexcept;

/// Returns a descriptor for the `__init__` of a class, as a new reference; `constructor` makes the
/// C++ objects, and `doc` is its text, which lives for ever. super().__init__(...) calls it without
/// making a tuple. (CPython's own method descriptor cannot be used, because inspect binds the
/// `__init__` that it finds to the class.)
PyObject* NewInit(PyTypeObject* owner, TainObject* constructor, const TainByteArray& doc);
/// The tp_vectorcall of generated classes and of subclasses that define neither __new__ nor
/// __init__.
PyObject* ConstructVectorcall(PyObject* type, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames);

}  // namespace tain::bindings
