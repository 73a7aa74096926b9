// SPDX-License-Identifier: Apache-2.0
// Array, List, Map, Dict and Shape as Python sequences and mappings.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// The type flags by which `match` recognizes a sequence or a mapping; 0 for other types.
unsigned long ContainerTypeFlags(int32_t type_index) noexcept;
/// Adds the slots and methods that make the class of a container a sequence or a mapping, and
/// replaces slots that exist already. Does nothing for other types.
void AddContainerSlots(int32_t type_index, std::vector<PyType_Slot>* slots);
/// Completes the class of a container: sets tp_vectorcall, and registers the class with
/// collections.abc, which runs Python code. Throws nb::python_error.
void FinishContainerClass(int32_t type_index, PyTypeObject* type);
void InitContainers();

}  // namespace tain::bindings
