// SPDX-License-Identifier: Apache-2.0
// Construction: Cls(...) of generated classes and their Python subclasses.
#pragma once

#include "base/py.h"

namespace tain::bindings {

PyObject* InstanceNew(PyTypeObject* type, PyObject* args, PyObject* kwargs);
int InstanceInit(PyObject* self, PyObject* args, PyObject* kwargs);
/// What __init__ does: makes the C++ object of an instance; -1 with an error set.
int Initialize(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept;
/// Calls `self.__post_init__(...)`, which may assign the fields of a frozen type; new reference.
PyObject* PostInit(PyObject* self, PyObject* const* args, size_t num_args) noexcept;
/// An object made by the default constructor, which the type must have; throws what that throws.
TainObject* MakeDefault(const TainTypeRecord* record);
/// The object of an instance whose class is a dataclass and whose generated __init__ assigns its
/// first field: constructed without arguments. Null, with an error set, for other instances.
TainObject* BeginDataclass(PyObject* self) noexcept;

/// A descriptor for the `__init__` of a class, whose C++ objects the function makes; new reference.
/// super().__init__(...) calls it without making a tuple. (CPython's own method descriptor does not
/// serve: inspect binds what it finds under `__init__` to the class.)
PyObject* NewInit(PyTypeObject* owner, TainObject* constructor);
/// tp_vectorcall of generated classes and of subclasses that define neither __new__ nor __init__.
PyObject* ConstructVectorcall(PyObject* type, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames);
/// self.__init_handle_by_constructor__(f, *args, **kwargs).
PyObject* InitHandleByConstructor(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                  PyObject* kwnames);
}  // namespace tain::bindings
