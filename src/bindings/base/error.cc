// SPDX-License-Identifier: Apache-2.0
// Passes errors on from one side to the other; see error.h.
#include "base/error.h"

#include "tain/error.h"
#include "tain/internal/caught.h"
#include "tain/interop/nanobind.h"

namespace tain::bindings {
namespace {

/// Returns the Python class for a nanobind exception type.
PyObject* ClassOfBuiltin(nb::exception_type type) noexcept {
  switch (type) {
    case nb::exception_type::value_error: return PyExc_ValueError;
    case nb::exception_type::index_error: return PyExc_IndexError;
    case nb::exception_type::key_error: return PyExc_KeyError;
    case nb::exception_type::attribute_error: return PyExc_AttributeError;
    case nb::exception_type::stop_iteration: return PyExc_StopIteration;
    default: return PyExc_TypeError;
  }
}

/// Sets the Python error if the C++ exception being handled is one of Python's or nanobind's.
bool SetIfPython() noexcept {
  // A thread that ends while it waits for the GIL unwinds by none: it must not be caught for good.
  if (std::current_exception() == nullptr) return false;
  try {
    throw;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(ClassOfBuiltin(e.type()), e.what());
  } catch (...) {
    return false;
  }
  return true;
}

}  // namespace

void SetFromException() noexcept {
  if (SetIfPython()) return;
  internal::RaiseHandled();
  SetFromCore();
}

int SetCoreFromException() noexcept {
  return SetIfPython() ? SetCoreFromPython() : internal::RaiseHandled();
}

void SetFromCore() noexcept {
  TainObject* error = nullptr;
  TainErrorMoveFromRaised(&error);
  if (error == nullptr) {
    if (!PyErr_Occurred()) {
      PyErr_SetString(PyExc_SystemError, "a C++ function failed without saying why");
    }
    return;
  }
  if (View(ErrorCellOf(error)->kind) == "EnvErrorAlreadySet" && PyErr_Occurred()) {
    TainObjectDecRef(error);
    return;
  }
  PyErr_Clear();
  PyObject* exception = ExceptionOf(error);
  TainObjectDecRef(error);
  if (exception != nullptr) SetRaised(exception);
}

void ThrowFromCore() {
  SetFromCore();
  throw nb::python_error();
}

void DropCoreError() noexcept {
  TainObject* error = nullptr;
  TainErrorMoveFromRaised(&error);
  if (error != nullptr) TainObjectDecRef(error);
}

int SetCoreFromPython() noexcept {
  const Own exception(TakeRaised());
  if (!exception) {
    TainErrorSetRaisedFromCStr("SystemError", "Python reported an error without setting one");
    return -1;
  }
  TainObject* error = ErrorOf(exception.get());
  if (error == nullptr) {  // such as a KeyboardInterrupt while the fields were read
    const Own instead(TakeRaised());
    if (instead) error = ErrorOf(instead.get(), false);
  }
  if (error == nullptr) {
    PyErr_Clear();
    TainErrorSetRaisedFromCStr("MemoryError", "no memory for the exception");
    return -1;
  }
  TainErrorSetRaised(error);
  TainObjectDecRef(error);
  return -1;
}

void TranslateCoreErrors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error&) {
      SetFromException();
    }
  });
}

}  // namespace tain::bindings
