// SPDX-License-Identifier: Apache-2.0
// The record of a class of arrays: its table of C functions (exchange_api.h), its library.
#pragma once

#include "base/py.h"
#include "tensors/state.h"

namespace tain::bindings {

/// Returns the record of a class of arrays that came before, or null.
inline const ArrayClass* KnownArrayClass(const PyTypeObject* type) noexcept {
  for (const ArrayClass& known : GetTensorsState().array_classes) {
    if (known.type == type) return &known;
  }
  return nullptr;
}
/// Returns the record of a class of arrays, or null for another class. Throws nb::python_error.
const ArrayClass* ArrayClassOf(PyTypeObject* type);
/// Whether a class derives from numpy.ndarray.
bool IsNumpySubclass(PyTypeObject* type) noexcept;
/// Throws the Python error of a function of a table; if it has set none, BufferError: `Array was not
/// exported`. A RuntimeError, by which PyTorch says that it does not export a kind of tensor, becomes
/// a BufferError with its first line.
[[noreturn]] void ThrowFromTable(PyObject* array, const char* what);

}  // namespace tain::bindings
