// SPDX-License-Identifier: Apache-2.0
// Errors in both directions: a Python exception that travels through C++ comes out as the same
// object.
#pragma once

#include "base/py.h"

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
/// Sets the Python error that the C++ exception being handled stands for; for `catch (...)`.
void SetFromException() noexcept;
/// Owns a new reference; throws the error that is set if there is none.
inline nb::object Checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}
/// Text of the core as a str; throws nb::python_error.
inline nb::str Text(std::string_view text) {
  return nb::borrow<nb::str>(Checked(ToStr(text.data(), text.size())));
}
inline nb::str Text(const TainByteArray& bytes) { return Text(View(bytes)); }
/// Runs code that may throw; `failure` with a Python error set if it does.
template <class R, class F>
inline R Guarded(R failure, F&& run) noexcept {
  try {
    return run();
  } catch (...) {
    SetFromException();
  }
  return failure;
}
/// The same for what a getter or method returns: a new reference, or null with the error set.
template <class F>
inline PyObject* GuardedObject(F&& run) noexcept {
  return Guarded<PyObject*>(nullptr, [&] { return nb::object(run()).release().ptr(); });
}
/// Makes kind `kind` raise `cls`, and instances of `cls` cross as that kind.
void RegisterErrorClass(const std::string& kind, PyObject* cls);
/// Makes tain.Error and fills the table of kinds.
void InitErrors(nb::module_& m);

}  // namespace tain::bindings
