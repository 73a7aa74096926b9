// SPDX-License-Identifier: Apache-2.0
// Array, List, Map and Dict as Python sequences and mappings.
#pragma once

#include <vector>

#include "py.h"

namespace tain::bindings {

/// An Array of a list or tuple; a new strong reference, null with an error set.
TainObject* SequenceFromPython(PyObject* object) noexcept;
/// A Map of a dict; a new strong reference, null with an error set.
TainObject* MappingFromPython(PyObject* object) noexcept;
/// Appends the slots and methods that make the class of a container index a sequence or a mapping; nothing for others.
void AddContainerSlots(int32_t type_index, std::vector<PyType_Slot>* slots);
/// Registers the classes with collections.abc once they exist.
void InitContainers(nb::module_& m);

}  // namespace tain::bindings
