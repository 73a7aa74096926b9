// SPDX-License-Identifier: Apache-2.0
// Passes errors on from one side to the other, in both directions. A Python exception that passes
// through C++ comes out as the same object.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

inline const TainErrorCell* ErrorCellOf(const TainObject* error) noexcept {
  return reinterpret_cast<const TainErrorCell*>(error + 1);  // the cell follows the header
}
/// Returns the exception of an Error object as a new reference (error_to_exception.cc). `depth` counts
/// the errors of which it is a cause.
PyObject* ExceptionOf(TainObject* error, int depth = 0) noexcept;
/// Returns an Error object for an exception as a new strong reference, or null with an error set
/// (exception_to_error.cc). Without `fields` runs no code of the fields.
TainObject* ErrorOf(PyObject* exception, bool fields = true) noexcept;
/// Takes the core's raised error and sets it as the Python error.
void SetFromCore() noexcept;
/// As SetFromCore, and throws nb::python_error.
[[noreturn]] void ThrowFromCore();
/// Takes the Python error and raises it in the core. Always returns -1.
int SetCoreFromPython() noexcept;
/// Drops the core's raised error.
void DropCoreError() noexcept;
/// Translates the C++ exception that is being handled to a Python error; call it in `catch (...)`.
void SetFromException() noexcept;
/// Raises the C++ exception that is being handled in the core, in a `catch (...)`; returns -1.
int SetCoreFromException() noexcept;
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
/// Runs code that may throw, and returns true; false with a Python error set if it throws.
template <class F>
inline bool Succeeds(F&& run) noexcept {
  return Guarded(false, [&] {
    run();
    return true;
  });
}
/// The same as Guarded for code whose result is an object: returns a new reference, or null with an error set.
template <class F>
inline PyObject* GuardedObject(F&& run) noexcept {
  return Guarded<PyObject*>(nullptr, [&] { return nb::object(run()).release().ptr(); });
}
/// Calls a function of a module of the package; null with an error set.
template <class... Args>
inline PyObject* CallPackage(const char* module, const char* name, Args... args) noexcept {
  return GuardedObject([&] { return nb::module_::import_(module).attr(name)(args...); });
}
/// The same with more arguments of a tuple and of a dict, which may be null.
template <class... First>
inline PyObject* CallPackageWith(PyObject* args, PyObject* kwargs, const char* module,
                                 const char* name, First... first) noexcept {
  return GuardedObject([&] {
    const nb::dict keywords = kwargs == nullptr ? NewDict() : nb::borrow<nb::dict>(kwargs);
    return nb::module_::import_(module).attr(name)(first..., *nb::handle(args), **keywords);
  });
}
/// Returns a function for the module that does the same as another one, and whose C++ exceptions are
/// errors of Python.
template <class R, class... Args>
inline auto Translating(R (*function)(Args...)) {
  return [function](Args... args) -> R {
    try {
      return function(std::forward<Args>(args)...);
    } catch (...) {
      const BridgeLock lock;
      SetFromException();
    }
    throw nb::python_error();
  };
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
/// A getter, or a method with at most one argument that it does not look at, whose result is what
/// `kMake(self)` returns.
template <auto kMake, class Argument>
PyObject* GuardedSlot(PyObject* self, Argument*) noexcept {
  const BridgeLock lock;
  return GuardedObject([self] { return kMake(self); });
}
template <auto kMake>
constexpr getter kGetter = &GuardedSlot<kMake, void>;
template <auto kMake>
constexpr PyCFunction kMethod = &GuardedSlot<kMake, PyObject>;
/// Runs code in which the other guards end, and which throws errors of Python and std::bad_alloc only.
/// Null with a Python error set if it throws.
template <class F>
auto GuardedInBase(F&& run) noexcept -> decltype(run()) {
  try {
    return run();
  } catch (nb::python_error& e) {
    e.restore();
  } catch (...) {
    PyErr_NoMemory();
  }
  return nullptr;
}
/// Lets functions of the module throw errors of the core.
void TranslateCoreErrors();

}  // namespace tain::bindings
