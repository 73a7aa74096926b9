// SPDX-License-Identifier: Apache-2.0
// What the files of this folder give to the class tain.Tensor; the file of each name defines it.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Adds the slots of the class if the type index is that of tensors: tensor_class.cc.
void AddTensorSlots(int32_t type_index, std::vector<PyType_Slot>* slots);
/// DLPack and the buffer protocol: tensor_export.cc.
void AddExportMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// Sets `__dlpack_c_exchange_api__`; throws nb::python_error.
void AddExchangeApi(PyTypeObject* type);
/// Comparison, hash, arithmetic and `in`, and methods such as sum, which are those of numpy's arrays:
/// tensor_math.cc.
void AddMathMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// Returns the elements that a key of numpy's means, such as a mask: a new array. Null with an error
/// set.
PyObject* TensorPick(PyObject* tensor, PyObject* key) noexcept;
/// `tensor[key]`: a view. The key is an integer, a slice, `...`, None or a tuple of them:
/// tensor_index.cc.
PyObject* TensorGetItem(PyObject* self, PyObject* key);
/// The number of elements of the first dimension.
Py_ssize_t TensorLength(PyObject* self);

}  // namespace tain::bindings
