// SPDX-License-Identifier: Apache-2.0
// Calls from Python into Functions, and the class tain.Function.
#pragma once

#include "instance.h"

namespace tain::bindings {

/// A mirror of a Function: callable through vectorcall.
struct FunctionInstance {
  Instance base;
  vectorcallfunc vectorcall;     ///< the call for this kind of function
  const TainFunctionInfo* info;  ///< null if nothing is known
};

/// Calls a function of the core with Python arguments; null with an error set. `info` may be null.
PyObject* CallCore(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept;
/// The same, but the result stays a value of the core; -1 with a Python error set.
int CallCoreRaw(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept;
/// Completes a new mirror of a Function.
void InitFunctionInstance(PyObject* self) noexcept;
/// Makes the class tain.Function as a child of tain.Object.
PyTypeObject* MakeFunctionClass() noexcept;

}  // namespace tain::bindings
