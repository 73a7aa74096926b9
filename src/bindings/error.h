// SPDX-License-Identifier: Apache-2.0
// Errors in both directions: a Python exception that travels through C++ comes out as the same
// object.
#pragma once

#include "py.h"

namespace tain::bindings {

/// Takes the core's raised error and sets it as the Python error.
void SetFromCore() noexcept;
/// The same, and throws nb::python_error.
[[noreturn]] void ThrowFromCore();
/// Takes the Python error and raises it in the core; returns -1.
int SetCoreFromPython() noexcept;
/// Forgets the core's raised error.
void DropCoreError() noexcept;
/// The exception of an Error object as a new reference.
PyObject* ExceptionOf(TainObject* error) noexcept;
/// An Error object for an exception; a new strong reference, null with an error set.
TainObject* ErrorOf(PyObject* exception) noexcept;
/// Makes kind `kind` raise `cls`, and instances of `cls` cross as that kind.
void RegisterErrorClass(const std::string& kind, PyObject* cls);
/// Makes tain.Error and fills the table of kinds.
void InitErrors(nb::module_& m);

}  // namespace tain::bindings
