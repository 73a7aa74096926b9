// SPDX-License-Identifier: Apache-2.0
// Indexing of tain.Tensor: views, as in the array API.
#include "tensors/class_parts.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "containers/seq.h"
#include "objects/instance.h"
#include "tensors/tensor_receiver.h"

namespace tain::bindings {
namespace {

/// The shape of a view while a key is read.
class ViewMaker {
 public:
  explicit ViewMaker(const TensorObj& tensor) : tensor_(tensor) {}

  /// Keeps a part of the next dimension.
  void Slice(PyObject* slice) {
    SliceRange range{};
    if (!ReadSlice(slice, &range)) throw nb::python_error();
    const int64_t extent = NextExtent();
    AdjustSlice(extent, &range);
    if (range.count > 0) offset_ += range.start * tensor_.strides[next_];
    shape_.push_back(range.count);
    // The stride of a single element means nothing, and might not fit.
    strides_.push_back(range.count > 1 ? tensor_.strides[next_] * range.step : 1);
    ++next_;
  }
  /// Leaves out the next dimension.
  void Select(PyObject* key) {
    Py_ssize_t index = 0;
    if (!ReadIndex(key, &index)) throw nb::python_error();
    const int64_t extent = NextExtent();
    const int64_t at = index < 0 ? index + extent : index;
    if (at < 0 || at >= extent) internal::ThrowTensorIndex(index, next_, extent);
    offset_ += at * tensor_.strides[next_];
    ++next_;
  }
  void NewAxis() {
    shape_.push_back(1);
    strides_.push_back(1);
  }
  void KeepAll(int32_t count) {
    for (; count > 0; --count, ++next_) {
      shape_.push_back(tensor_.shape[next_]);
      strides_.push_back(tensor_.strides[next_]);
    }
  }
  int32_t rest() const { return tensor_.ndim - next_; }
  ObjectPtr<TensorObj> Make() {
    KeepAll(rest());
    return internal::RestrideTensor(const_cast<TensorObj*>(&tensor_), shape_, strides_, offset_);
  }

 private:
  int64_t NextExtent() const {
    if (next_ >= tensor_.ndim) {
      TAIN_THROW(IndexError) << "Tensor: too many indices for " << tensor_.ndim
                             << (tensor_.ndim == 1 ? " dimension" : " dimensions");
    }
    return tensor_.shape[next_];
  }

  const TensorObj& tensor_;
  int32_t next_ = 0;
  int64_t offset_ = 0;
  std::vector<int64_t> shape_, strides_;
};

bool TakesDimension(PyObject* key) noexcept { return key != Py_None && key != Py_Ellipsis; }

/// Whether a part of a key makes a view.
bool MakesView(PyObject* key) noexcept {
  return key == Py_Ellipsis || key == Py_None || PySlice_Check(key) ||
         (PyIndex_Check(key) && !PyBool_Check(key) && !PySequence_Check(key));
}

bool IsKeyOfView(PyObject* key) noexcept {
  if (!PyTuple_Check(key)) return MakesView(key);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
    if (!MakesView(PyTuple_GET_ITEM(key, i))) return false;
  }
  return true;
}

/// Reads one part of a key. `later` is how many dimensions the parts after it take.
void ReadKeyPart(PyObject* key, int32_t later, ViewMaker* view) {
  if (key == Py_Ellipsis) {
    view->KeepAll(std::max(view->rest() - later, 0));
  } else if (key == Py_None) {
    view->NewAxis();
  } else if (PySlice_Check(key)) {
    view->Slice(key);
  } else {
    view->Select(key);
  }
}

}  // namespace

PyObject* TensorGetItem(PyObject* self, PyObject* key) {
  TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  if (!IsKeyOfView(key)) return TensorPick(self, key);
  return Guarded<PyObject*>(nullptr, [&] {
    const ObjectPtr<TensorObj> held(tensor);  // reading the key may run Python code
    ViewMaker view(*tensor);
    if (!PyTuple_Check(key)) {
      ReadKeyPart(key, 0, &view);
    } else {
      const Py_ssize_t size = PyTuple_GET_SIZE(key);
      int32_t later = 0, ellipses = 0;
      for (Py_ssize_t i = 0; i < size; ++i) {
        later += TakesDimension(PyTuple_GET_ITEM(key, i)) ? 1 : 0;
        ellipses += PyTuple_GET_ITEM(key, i) == Py_Ellipsis ? 1 : 0;
      }
      if (ellipses > 1) TAIN_THROW(IndexError) << "Tensor: an index can have one '...' only";
      for (Py_ssize_t i = 0; i < size; ++i) {
        PyObject* part = PyTuple_GET_ITEM(key, i);
        if (TakesDimension(part)) --later;
        ReadKeyPart(part, later, &view);
      }
    }
    ObjectPtr<TensorObj> made = view.Make();
    return Wrap(internal::RefAccess::Release(made));
  });
}

Py_ssize_t TensorLength(PyObject* self) {
  const TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return -1;
  if (tensor->ndim > 0) return static_cast<Py_ssize_t>(tensor->shape[0]);
  PyErr_SetString(PyExc_TypeError, "len() of a Tensor without dimensions");
  return -1;
}

}  // namespace tain::bindings
