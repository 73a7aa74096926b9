// SPDX-License-Identifier: Apache-2.0
// Python values that C++ holds without looking into them: opaque objects and callbacks.
#pragma once

#include "base/py.h"
#include "tain/function.h"

namespace tain::bindings {

/// A Python object as an object of type ffi.OpaquePyObject; a new strong reference, null without
/// memory.
TainObject* MakeOpaque(PyObject* object) noexcept;
/// A Function that holds a Python callable.
class CallbackObj : public FunctionObj {
 public:
  CallbackObj(PyObject* target, TainSafeCall call) noexcept : callable(Py_NewRef(target)) {
    body.cell.safe_call = call;
  }
  ~CallbackObj();
  PyObject* callable;  ///< null after the garbage collector cut it
};
/// A Python callable as a Function that `call` calls; a new strong reference, null without memory.
TainObject* MakeCallbackWith(PyObject* callable, TainSafeCall call) noexcept;
/// The slot of the Python reference that an opaque object or a callback holds; null for other
/// objects.
PyObject** PythonSlotOf(TainObject* object) noexcept;
/// Where an opaque iterator keeps what it gave when C++ read it, so that it can be looked at twice;
/// null for other objects.
Any* DrainedSlotOf(TainObject* object) noexcept;

}  // namespace tain::bindings
