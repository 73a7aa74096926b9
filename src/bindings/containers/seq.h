// SPDX-License-Identifier: Apache-2.0
// What Array, List and Shape have in common: length, items, slices, concatenation.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// The elements of a slice: start, start + step ..., count of them.
struct SliceRange {
  Py_ssize_t start;
  Py_ssize_t stop;
  Py_ssize_t step;
  Py_ssize_t count;
};
/// Bounds of a slice as they were written; reading them may run Python. False with an error set.
bool ReadSlice(PyObject* slice, SliceRange* out) noexcept;
/// Adjusts the bounds to a length. From here on no Python may run.
void AdjustSlice(int64_t length, SliceRange* range) noexcept;
/// An index, which may be negative; false with an error set.
bool ReadIndex(PyObject* object, Py_ssize_t* out) noexcept;
/// Sets the IndexError of a sequence.
void SetIndexError(const TainObject* seq, Py_ssize_t index) noexcept;
/// Sets the TypeError for what is neither an index nor a slice.
void SetKeyTypeError(const TainObject* seq, PyObject* key) noexcept;

Py_ssize_t SeqLength(PyObject* self);
/// A new sequence of elements repeated; null with an error set.
TainObject* RepeatSeq(const TainObject* seq, Py_ssize_t times) noexcept;
/// Appends slots and methods of all three.
void AddSeqSlots(std::vector<PyType_Slot>* slots);
void AddSeqMethods(std::vector<PyMethodDef>* methods);

}  // namespace tain::bindings
