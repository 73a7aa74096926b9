// SPDX-License-Identifier: Apache-2.0
// Tensors of objects with a buffer: bytes, array.array, memoryview, ctypes.
#pragma once

#include <string>

#include "base/py.h"
#include "tain/tensor.h"

namespace tain::bindings {

/// Makes a Tensor of an object with a buffer. Returns null and a reason if the format has no
/// counterpart; throws nb::python_error.
TainObject* TensorFromBuffer(PyObject* object, std::string* fault);
/// Whether a Tensor came from a buffer, whose export prevents changes of its layout.
bool HoldsBuffer(const TensorObj& tensor) noexcept;

}  // namespace tain::bindings
