// SPDX-License-Identifier: Apache-2.0
// Classes with TAIN_OBJECT and no ObjectDef: their errors give this as the reason.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Whether a C++ type has a class without members, for lack of an ObjectDef.
bool IsUndescribed(const TainTypeRecord* record) noexcept;
/// Adds the slot that looks attributes up: for an undescribed class, one whose error gives the
/// reason; for a described class with an undescribed parent, CPython's.
void AddUndescribedSlots(const TainTypeRecord* record, const PyTypeObject* parent,
                         std::vector<PyType_Slot>* slots);

}  // namespace tain::bindings
