// SPDX-License-Identifier: Apache-2.0
// Translates errors in both directions. A Python exception that passes through C++ comes out as the
// same object.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Takes the core's raised error and sets it as the Python error.
void SetFromCore() noexcept;
/// As SetFromCore, and throws nb::python_error.
[[noreturn]] void ThrowFromCore();
/// Takes the Python error and raises it in the core. Always returns -1.
int SetCoreFromPython() noexcept;
/// Drops the core's raised error.
void DropCoreError() noexcept;
/// Returns the exception of an Error object as a new reference.
PyObject* ExceptionOf(TainObject* error) noexcept;
/// Returns an Error object for an exception as a new strong reference, or null with an error set.
TainObject* ErrorOf(PyObject* exception) noexcept;
/// Translates the C++ exception that is being handled to a Python error; call it in `catch (...)`.
void SetFromException() noexcept;
/// Raises the C++ exception that is being handled in the core, in a `catch (...)`; returns -1.
int SetCoreFromException() noexcept;
/// Takes the Python error that is set, and returns it with its traceback as a new reference; null
/// if none is set.
PyObject* TakeRaised() noexcept;
/// Sets the Python error again; takes over the reference.
void SetRaised(PyObject* exception) noexcept;
/// Runs code that may throw. If it throws, sets a Python error and returns `failure`.
template <class R, class F>
inline R Guarded(R failure, F&& run) noexcept {
  try {
    return run();
  } catch (...) {
    SetFromException();
  }
  return failure;
}
/// The same for code whose result is an object: returns a new reference, or null with an error set.
template <class F>
inline PyObject* GuardedObject(F&& run) noexcept {
  return Guarded<PyObject*>(nullptr, [&] { return nb::object(run()).release().ptr(); });
}
/// Runs code that the core calls and that may throw, with the GIL held; -1 with the core's error
/// raised if it throws.
template <class F>
inline int GuardedForCore(F&& run) noexcept {
  try {
    return run();
  } catch (...) {
    return SetCoreFromException();
  }
}
/// Returns the exception class of a kind of errors, borrowed; null if there is none. May throw.
PyObject* ErrorClassOf(std::string_view kind);
/// Maps C++ errors of a kind to exceptions of class `cls`, and instances of `cls` to that kind.
void RegisterErrorClass(const std::string& kind, PyObject* cls);
/// Makes tain.Error and fills the table of kinds.
void InitErrors(nb::module_& m);

}  // namespace tain::bindings
