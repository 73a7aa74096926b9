// SPDX-License-Identifier: Apache-2.0
// The method descriptor: a registered method on its class.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Makes the descriptor's type.
PyTypeObject* MakeMethodType() noexcept;
/// What a descriptor's function says of itself; null for anything else.
const TainFunctionInfo* InfoOfMethod(PyObject* descr) noexcept;
/// A descriptor for a method of a class; new reference.
PyObject* NewMethod(
    PyTypeObject* owner,
    const TainMethodDef* method) noexcept;  /// A descriptor that is called in another way; new
                                            /// reference, null with an error set.
PyObject* NewMethodLike(PyTypeObject* owner, const TainMethodDef* method, TainObject* function,
                        const TainFunctionInfo* info, vectorcallfunc call) noexcept;
/// The class that a descriptor was made for.
PyTypeObject* OwnerOfMethod(PyObject* descr) noexcept;

}  // namespace tain::bindings
