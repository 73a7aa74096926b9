// SPDX-License-Identifier: Apache-2.0
// The Tensor of a tain.Tensor, for the methods of that class.
#pragma once

#include "base/py.h"
#include "tain/tensor.h"

namespace tain::bindings {

/// Returns the Tensor of a tain.Tensor; null with an error set if the wrapper is empty, or if it is
/// a view of memory that was lent for a call which has returned.
TensorObj* TensorOf(PyObject* self) noexcept;
/// Returns the Tensor of a header, whose type index is that of Tensor.
inline TensorObj* TensorObjOf(TainObject* tensor) noexcept {
  return static_cast<TensorObj*>(internal::ObjectAccess::FromHeader(tensor));
}
inline TainObject* HeaderOf(const TensorObj& tensor) noexcept {
  return internal::ObjectAccess::Header(&tensor);
}
/// Returns the flags of a tensor; 0 for one that another library made.
inline uint64_t FlagsOf(const TainObject* tensor) noexcept {
  const TainTensorTail* tail = internal::TensorTailOf(tensor);
  return tail == nullptr ? 0 : tail->flags;
}
/// Returns the array that a tensor keeps alive, borrowed, or null.
inline PyObject* KeptArray(const TainObject* tensor) noexcept {
  const TainTensorTail* tail = internal::TensorTailOf(tensor);
  return tail == nullptr ? nullptr : static_cast<PyObject*>(tail->array);
}
/// Returns a new tensor with the same elements, row-major.
ObjectPtr<TensorObj> CopyOf(const TensorObj& tensor);
/// Returns the Tensor of such a header; null with an error set if it has no strides, or if it is a
/// view of memory that was lent for a call which has returned.
TensorObj* UsableTensor(TainObject* tensor) noexcept;

}  // namespace tain::bindings
