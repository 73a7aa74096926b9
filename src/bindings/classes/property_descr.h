// SPDX-License-Identifier: Apache-2.0
// Properties as getset descriptors, which call their functions.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Returns the getset definition of a property.
PyGetSetDef PropertyDescriptor(const TainPropertyDef* property);
/// Makes accesses of a property reach the code of C++ (direct_call.h). Leaves other descriptors.
void CallPropertyDirectly(PyObject* descr) noexcept;

}  // namespace tain::bindings
