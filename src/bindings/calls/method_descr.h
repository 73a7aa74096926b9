// SPDX-License-Identifier: Apache-2.0
// The method descriptor: a registered method on its class.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Makes the type of method descriptors.
PyTypeObject* MakeMethodType() noexcept;
/// Returns the function of a method descriptor, or null for another object: a borrowed reference.
TainObject* FunctionOfMethod(PyObject* descr) noexcept;
/// Returns the info of a descriptor's function; null if the object is not a method descriptor.
const TainFunctionInfo* InfoOfMethod(PyObject* descr) noexcept;
/// Makes calls of a method descriptor reach the code of C++; see direct_call.h.
void CallMethodDirectly(PyObject* descr) noexcept;
/// Makes a descriptor for a method of a class. Returns a new reference.
PyObject* NewMethod(PyTypeObject* owner, const TainMethodDef* method) noexcept;
/// Makes a descriptor that is called by `call`. Returns a new reference, or null with an error set.
PyObject* NewMethodLike(PyTypeObject* owner, const TainMethodDef* method, TainObject* function,
                        const TainFunctionInfo* info, vectorcallfunc call) noexcept;
/// Makes the descriptor of `__iter__`: if the method returns something that is no iterator, such as
/// an Array, the result is an iterator over that.
PyObject* NewIter(PyTypeObject* owner, const TainMethodDef* method) noexcept;
/// The tp_descr_get of descriptors and of tain.Function.
PyObject* BindToObject(PyObject* self, PyObject* object, PyObject*);
/// The method with_tensor_type of descriptors and of tain.Function.
PyObject* WithTensorType(PyObject* callable, PyObject* cls) noexcept;
/// Returns the class for which a descriptor was made.
PyTypeObject* OwnerOfMethod(PyObject* descr) noexcept;

}  // namespace tain::bindings
