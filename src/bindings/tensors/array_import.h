// SPDX-License-Identifier: Apache-2.0
// Arrays of Python (numpy, torch, anything with DLPack or a buffer) as Tensors.
#pragma once

#include <string>

#include "base/py.h"
#include "tain/tensor.h"

namespace tain::bindings {

/// Makes a Tensor that shares the memory of an array. Returns 1 if that is done, 0 if the object is
/// no array or has no counterpart, and -1 with an error set. For a place with the declared type
/// Tensor (`typed`) it takes more: subclasses of numpy.ndarray, objects with a buffer. The reason of
/// a 0 is written to *fault unless it is null.
int TensorFromArray(PyObject* object, bool typed, TainAny* out, std::string* fault) noexcept;
/// The same for a place with the declared type Tensor. Null with a reason for what is no array; throws
/// nb::python_error.
ObjectPtr<TensorObj> TensorOfArray(PyObject* object, std::string* fault);

}  // namespace tain::bindings
