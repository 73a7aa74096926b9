// SPDX-License-Identifier: Apache-2.0
// Array, List, Map, Dict and Shape as Python sequences and mappings.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Whether a type index is one of the containers that this part of the bridge serves.
inline bool IsContainerIndex(int32_t type_index) noexcept {
  return type_index == kTainArray || type_index == kTainList || type_index == kTainMap ||
         type_index == kTainDict || type_index == kTainShape;
}
/// Flags of a container's class: what `match` takes for a sequence or a mapping. 0 for others.
unsigned long ContainerTypeFlags(int32_t type_index) noexcept;
/// Adds the slots and methods that make the class of a container index a sequence or a mapping, in
/// the place of slots that are there already; nothing for others.
void AddContainerSlots(int32_t type_index, std::vector<PyType_Slot>* slots);
/// Makes the classes of views, gives the classes of containers their fast calls, and registers all
/// with collections.abc. After InitClasses.
void InitContainers(nb::module_& m);

}  // namespace tain::bindings
