// SPDX-License-Identifier: Apache-2.0
// Reads numpy's arrays in memory, which takes a tenth of the time of a call of numpy.
//
// The layout is that of numpy's C API, which all extensions compiled against numpy depend on; it is
// the same in numpy 1 and 2. tain is not compiled against numpy: it checks the layout when the first
// array appears, and uses DLPack if it differs.
#pragma once

#include "base/py.h"
#include "tain/c_api.h"

namespace tain::bindings {

constexpr int kNumpyIsWritable = 0x400;  ///< a flag of an array

/// Whether an object is a numpy.ndarray, of this class exactly.
bool IsNumpyArray(PyObject* object) noexcept;
/// Makes a Tensor that shares the memory of a numpy.ndarray. Returns null without an error if the
/// array has no counterpart among tensors, and writes the reason to *why unless it is null.
TainObject* TensorFromNumpy(PyObject* array, const char** why);
/// Makes a Tensor that shares the memory of a numpy.ndarray of structs of `size` bytes, whose strides
/// are multiples of it. The caller has checked the dtype.
TainObject* TensorFromStructs(PyObject* array, int64_t size);
/// Returns numpy's number of a data type, or -1 if it is no type of numpy's own.
int NumpyTypeNumber(DLDataType dtype) noexcept;
/// Whether an array still has the memory, extents, strides and type of the Tensor that was made
/// from it.
bool IsStillNumpy(PyObject* array, const DLTensor& tensor) noexcept;

}  // namespace tain::bindings
