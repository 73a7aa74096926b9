// SPDX-License-Identifier: Apache-2.0
// Functions of addresses of compiled code, for compilers that are written in Python.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// `Function.__from_extern_c__(c_symbol, *, keep_alive_object=None)`: the address of a TainSafeCall.
PyObject* FunctionOfSafeCall(PyObject*, PyObject* args, PyObject* kwargs);
/// `Function.__from_mlir_packed_safe_call__(mlir_packed_symbol, *, keep_alive_object=None)`: the
/// address of `void f(void** slots)`, where the slots are the addresses of the five values handle,
/// arguments, number of arguments, place for the result, code.
PyObject* FunctionOfPackedCall(PyObject*, PyObject* args, PyObject* kwargs);

}  // namespace tain::bindings
