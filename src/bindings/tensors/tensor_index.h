// SPDX-License-Identifier: Apache-2.0
// Indexing of tain.Tensor: views, as in the array API.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// `tensor[key]`: a view. The key is an integer, a slice, `...`, None or a tuple of them.
PyObject* TensorGetItem(PyObject* self, PyObject* key);
/// The number of elements of the first dimension.
Py_ssize_t TensorLength(PyObject* self);

}  // namespace tain::bindings
