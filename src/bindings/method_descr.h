// SPDX-License-Identifier: Apache-2.0
// The method descriptor: a registered method on its class.
#pragma once

#include "py.h"

namespace tain::bindings {

/// Makes the descriptor's type.
PyTypeObject* MakeMethodType() noexcept;
/// What a descriptor's function says of itself; null for anything else.
const TainFunctionInfo* InfoOfMethod(PyObject* descr) noexcept;
/// A descriptor for a method of a class; new reference.
PyObject* NewMethod(PyTypeObject* owner, const TainMethodDef* method) noexcept;

}  // namespace tain::bindings
