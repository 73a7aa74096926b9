// SPDX-License-Identifier: Apache-2.0
// Making containers of what Python has: iterables, mappings, pairs.
#pragma once

#include "values/container_access.h"

namespace tain::bindings {

/// An Array of a list or tuple; a new strong reference, null with an error set.
TainObject* SequenceFromPython(PyObject* object) noexcept;
/// A Map of a dict; a new strong reference, null with an error set.
TainObject* MappingFromPython(PyObject* object) noexcept;
/// An Array or List of any iterable; a new strong reference, null with an error set.
TainObject* SeqFromIterable(PyObject* iterable, int32_t type_index) noexcept;
/// Appends the elements of any iterable to a List, or to a sequence that nobody else sees. False
/// with an error set; as with list.extend, elements that came before the error stay.
bool ExtendSeq(TainObject* seq, PyObject* iterable) noexcept;
/// A Shape of an iterable of ints; a new strong reference, null with an error set.
TainObject* ShapeFromIterable(PyObject* iterable) noexcept;
/// Adds entries as dict.update does: those of a mapping (it has keys()) or of an iterable of pairs.
/// False with an error set. `is_new`: the map is empty, and nobody else sees it.
bool UpdateMap(TainObject* map, PyObject* source, bool is_new = false) noexcept;

/// The object if it is of the generated class, so that its iteration is not overridden; or null.
template <bool (*kAccepts)(int32_t)>
inline TainObject* ExactContainerOf(PyObject* object) noexcept {
  return Py_TYPE(object)->tp_dealloc == &InstanceDealloc ? ContainerOf<kAccepts>(object) : nullptr;
}

}  // namespace tain::bindings
