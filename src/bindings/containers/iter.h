// SPDX-License-Identifier: Apache-2.0
// The iterator over containers: one type, with one step function for each kind of iteration.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The part of the entries that an iterator over a Map or Dict returns.
enum class MapPart { kKeys, kValues, kItems };

/// Returns a new iterator over an Array, List or Shape; null with an error set.
PyObject* NewSeqIter(PyObject* seq, bool reversed) noexcept;
/// Returns a new iterator over a Map or Dict; null with an error set.
PyObject* NewMapIter(PyObject* map, MapPart part, bool reversed) noexcept;

/// Sets the slots of the class of `ffi.Iterator`, a fast step; leaves other classes alone.
void AddIteratorSlots(PyTypeObject* type, const TainTypeRecord* record) noexcept;

}  // namespace tain::bindings
