// SPDX-License-Identifier: Apache-2.0
// Classes with TAIN_OBJECT and no ObjectDef: their errors give this as the reason.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether a C++ type has a class without members, for lack of an ObjectDef.
bool IsUndescribed(const TainTypeRecord* record) noexcept;
/// Gives such a class a `__getattr__` whose error gives the reason, and removes those of its
/// parents, which would hide attributes of other classes.
void ExplainUndescribed(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
