// SPDX-License-Identifier: Apache-2.0
// The iterator over containers: one type, one step function for each way of walking.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// What an iterator over a Map or Dict gives.
enum class MapPart { kKeys, kValues, kItems };

/// A new iterator over an Array, List or Shape; null with an error set.
PyObject* NewSeqIter(PyObject* seq, bool reversed) noexcept;
/// A new iterator over a Map or Dict; null with an error set.
PyObject* NewMapIter(PyObject* map, MapPart part, bool reversed) noexcept;

}  // namespace tain::bindings
