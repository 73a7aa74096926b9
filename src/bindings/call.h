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
/// The same for a function around whose calls the GIL is released (TainFunctionReleasesGil).
PyObject* CallReleasing(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                        Py_ssize_t num_args, PyObject* kwnames) noexcept;
/// CallCore, but the result stays a value of the core; -1 with a Python error set.
int CallCoreRaw(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept;
/// The same with values of the core, which the caller holds.
int CallWithValues(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept;
/// Completes a new mirror of a Function, or one whose function is to be called in another way.
void InitFunctionInstance(PyObject* self) noexcept;
/// Makes the class tain.Function as a child of tain.Object.
PyTypeObject* MakeFunctionClass() noexcept;

}  // namespace tain::bindings
