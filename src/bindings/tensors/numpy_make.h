// SPDX-License-Identifier: Apache-2.0
// Makes arrays of numpy of Tensors by numpy's C API, which takes a fifth of the time of asking numpy
// to read a buffer.
//
// tain is not compiled against numpy. Its table of functions is found in the module, as the headers
// of numpy do it; their places in the table never change.
#pragma once

#include "base/py.h"
#include "tain/tensor.h"

namespace tain::bindings {

/// Returns a new numpy.ndarray that shares the memory of a Tensor and keeps the Tensor alive; null
/// with an error set: BufferError if the memory is not the processor's.
PyObject* NewNumpyArray(TainObject* tensor) noexcept;

}  // namespace tain::bindings
