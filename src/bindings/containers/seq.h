// SPDX-License-Identifier: Apache-2.0
// The common slots and methods of Array, List and Shape: length, items, slices, concatenation.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The elements of a slice: `count` indices start, start + step ...
struct SliceRange {
  Py_ssize_t start;
  Py_ssize_t stop;
  Py_ssize_t step;
  Py_ssize_t count;
};
/// Reads the bounds of a slice, which may run Python code. False with an error set.
bool ReadSlice(PyObject* slice, SliceRange* out) noexcept;
/// Adjusts the bounds to a length. No Python code may run between this and the use of the range.
void AdjustSlice(int64_t length, SliceRange* range) noexcept;
/// Reads an index, which may be negative; false with an error set.
bool ReadIndex(PyObject* object, Py_ssize_t* out) noexcept;
/// Sets the IndexError of a sequence.
void SetIndexError(const TainObject* seq, Py_ssize_t index) noexcept;
/// Sets the TypeError for a key that is neither an index nor a slice.
void SetKeyTypeError(const TainObject* seq, PyObject* key) noexcept;

Py_ssize_t SeqLength(PyObject* self);
/// Returns a new sequence with repeated elements; null with an error set.
TainObject* RepeatSeq(const TainObject* seq, Py_ssize_t times) noexcept;

}  // namespace tain::bindings
