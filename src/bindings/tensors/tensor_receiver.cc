// SPDX-License-Identifier: Apache-2.0
// The Tensor of a tain.Tensor; see tensor_receiver.h.
#include "tensors/tensor_receiver.h"

#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// Whether the memory was lent for a call that has returned.
bool IsExpired(const TainObject* tensor) noexcept {
  const TainTensorTail* tail = internal::TensorTailOf(tensor);
  return tail != nullptr && (tail->flags & kTainTensorExpired) != 0;
}

}  // namespace

TensorObj* TensorOf(PyObject* self) noexcept {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) return nullptr;
  if (TAIN_UNLIKELY(object->type_index != kTainTensor)) {
    PyErr_Format(PyExc_TypeError, "expected Tensor, got %s", TypeName(self));
    return nullptr;
  }
  return UsableTensor(object);
}

TensorObj* UsableTensor(TainObject* object) noexcept {
  TensorObj* tensor = TensorObjOf(object);
  if (TAIN_UNLIKELY(tensor->strides == nullptr && tensor->ndim > 0)) {
    PyErr_SetString(PyExc_BufferError, "this Tensor, which another library made, has no strides");
    return nullptr;
  }
  if (TAIN_UNLIKELY(IsExpired(object))) {
    PyErr_SetString(
        PyExc_ValueError,
        "this Tensor was lent by C++ for the length of a call, which has returned: copy "
        "it during the call to keep it");
    return nullptr;
  }
  return tensor;
}

}  // namespace tain::bindings
