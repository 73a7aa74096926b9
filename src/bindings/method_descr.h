// SPDX-License-Identifier: Apache-2.0
// The method descriptor: a registered method on its class.
#pragma once

#include "py.h"

namespace tain::bindings {

/// Makes the descriptor's type.
PyTypeObject* MakeMethodType() noexcept;
/// What a descriptor's function says of itself; null for anything else.
const TainFunctionInfo* InfoOfMethod(PyObject* descr) noexcept;
/// A descriptor for a method of a class; new reference.
PyObject* NewMethod(PyTypeObject* owner, const TainMethodDef* method) noexcept;
/// A descriptor for the `__init__` of a class, whose C++ objects the function makes; new reference.
/// super().__init__(...) calls it without making a tuple. (CPython's own method descriptor does not
/// serve: inspect binds what it finds under `__init__` to the class.)
PyObject* NewInit(PyTypeObject* owner, TainObject* constructor);
bool IsInit(PyObject* descr) noexcept;

}  // namespace tain::bindings
