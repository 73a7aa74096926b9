// SPDX-License-Identifier: Apache-2.0
// The Tensor of a tain.Tensor; see tensor_receiver.h.
#include "tensors/tensor_receiver.h"

#include "objects/instance.h"

namespace tain::bindings {

ObjectPtr<TensorObj> CopyOf(const TensorObj& tensor) {
  ObjectPtr<TensorObj> made = internal::AllocateTensor(
      {tensor.shape, static_cast<size_t>(tensor.ndim)}, tensor.dtype, tensor.device);
  internal::CopyElements(tensor, *made);
  return made;
}

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
  if (TAIN_UNLIKELY((FlagsOf(object) & kTainTensorExpired) != 0)) {
    PyErr_SetString(
        PyExc_ValueError,
        "this Tensor was lent by C++ for the length of a call, which has returned: copy "
        "it during the call to keep it");
    return nullptr;
  }
  return tensor;
}

}  // namespace tain::bindings
