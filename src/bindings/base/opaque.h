// SPDX-License-Identifier: Apache-2.0
// Python values that C++ holds without looking into them: opaque objects and callbacks.
#pragma once

#include "base/py.h"
#include "tain/function.h"

namespace tain::bindings {

/// Returns an object of type ffi.OpaquePyObject that holds a Python object: a new strong reference,
/// or null if there is no memory.
TainObject* MakeOpaque(PyObject* object) noexcept;
/// A Function that holds a Python callable.
class CallbackObj : public FunctionObj {
 public:
  CallbackObj(PyObject* target, TainSafeCall call) noexcept : callable(Py_NewRef(target)) {
    body.cell.safe_call = call;
  }
  ~CallbackObj();
  PyObject* callable;  ///< null after the garbage collector cleared it
};
/// Returns a Function that holds a Python callable and is called by `call`: a new strong reference,
/// or null if there is no memory.
TainObject* MakeCallbackWith(PyObject* callable, TainSafeCall call) noexcept;
/// Returns the place where an opaque object or a callback holds its Python reference; null for
/// other objects.
PyObject** PythonSlotOf(TainObject* object) noexcept;
/// Returns the array that a Tensor was made from, a borrowed reference; null for other objects.
PyObject* ArrayBehind(const TainObject* object) noexcept;
/// Returns the place where an opaque iterator stores the elements that C++ has read from it, so
/// that they can be read twice; null for other objects.
Any* DrainedSlotOf(TainObject* object) noexcept;

}  // namespace tain::bindings
