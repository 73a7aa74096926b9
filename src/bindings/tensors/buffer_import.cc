// SPDX-License-Identifier: Apache-2.0
// Imports by the buffer protocol; see buffer_import.h.
#include "tensors/buffer_import.h"

#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/gil.h"
#include "base/release_queue.h"

namespace tain::bindings {
namespace {

void EndBuffer(void* view) {
  PyBuffer_Release(static_cast<Py_buffer*>(view));
  delete static_cast<Py_buffer*>(view);
}

void ReleaseBuffer(TainTensorTail* tail) {
  if (HoldsGil()) {
    EndBuffer(tail->owner);
  } else {
    Later(&EndBuffer, tail->owner);
  }
  ReleasePython(static_cast<PyObject*>(tail->array));
}

/// Returns the data type of a format of the module struct, for one number; bits 0 for others.
DLDataType TypeOfFormat(const Py_buffer& view) noexcept {
  std::string_view format = view.format == nullptr ? "B" : view.format;
  if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<')) {
    format.remove_prefix(1);  // the order of bytes of this machine
  }
  const bool is_complex = format.size() == 2 && format[0] == 'Z';
  if (is_complex) format.remove_prefix(1);
  if (format.size() != 1 || view.itemsize < 1 || view.itemsize > 16) return {};
  const auto bits = static_cast<uint8_t>(view.itemsize * 8);
  if (std::string_view("efd").find(format[0]) != std::string_view::npos) {
    return {static_cast<uint8_t>(is_complex ? kDLComplex : kDLFloat), bits, 1};
  }
  if (is_complex) return {};
  if (format[0] == '?') return {kDLBool, bits, 1};
  if (std::string_view("bhilqn").find(format[0]) != std::string_view::npos)
    return {kDLInt, bits, 1};
  if (std::string_view("BHILQN").find(format[0]) != std::string_view::npos)
    return {kDLUInt, bits, 1};
  return {};
}

}  // namespace

TainObject* TensorFromBuffer(PyObject* object, std::string* fault) {
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object, view.get(), PyBUF_RECORDS_RO) != 0) throw nb::python_error();
  DLTensor tensor{};
  tensor.dtype = TypeOfFormat(*view);
  const char* why = nullptr;
  if (tensor.dtype.bits == 0) why = "a tensor cannot have elements of its format";
  if (view->suboffsets != nullptr) why = "its elements are not at fixed distances";
  ObjectPtr<TensorObj> made;
  if (why == nullptr) {
    const auto ndim = static_cast<size_t>(view->ndim);
    std::vector<int64_t> shape(view->shape, view->shape + ndim), strides(ndim);
    if (view->strides == nullptr) {  // an array of ctypes has none, although they were asked for
      int64_t step = view->itemsize;
      for (size_t i = ndim; i-- > 0; step *= shape[i]) strides[i] = step;
    } else {
      strides.assign(view->strides, view->strides + ndim);
    }
    for (size_t i = 0; i < ndim; ++i) {
      if (strides[i] % view->itemsize != 0 && shape[i] > 1) {
        why = "its strides are no multiples of the size of an element";
      }
      strides[i] /= view->itemsize;
    }
    tensor.data = view->buf;
    tensor.device = {kDLCPU, 0};
    tensor.ndim = view->ndim;
    tensor.shape = shape.data();
    tensor.strides = strides.data();
    if (why == nullptr) made = internal::MakeTensor(tensor, {});
  }
  if (why != nullptr) {
    PyBuffer_Release(view.get());
    if (fault != nullptr) *fault = why;
    return nullptr;
  }
  made->tail.flags = view->readonly != 0 ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  made->tail.owner = view.release();
  made->tail.array = Py_NewRef(object);
  made->tail.release = &ReleaseBuffer;
  return internal::RefAccess::Release(made);
}

bool HoldsBuffer(const TensorObj& tensor) noexcept { return tensor.tail.release == &ReleaseBuffer; }

}  // namespace tain::bindings
