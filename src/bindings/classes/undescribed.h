// SPDX-License-Identifier: Apache-2.0
// Classes that C++ declares with TAIN_OBJECT and that no ObjectDef describes: their errors say so.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether a type of C++ has a class and nothing in it.
bool IsUndescribed(const TainTypeRecord* record) noexcept;
/// Gives such a class a `__getattr__` that says why it has no attributes, and takes those of its
/// parents away, which would be in the way of the attributes of other classes.
void ExplainUndescribed(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
