// SPDX-License-Identifier: Apache-2.0
// The forms in which C++ parameters ask for Python values that cross as they are.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// TainHost::convert_opaque.
int ConvertForCore(TainObject* object, int32_t form, TainAny* out, int* handled);
/// TainHost::make_opaque.
int MakeForCore(const TainAny* parts, int32_t form, TainAny* out, int* handled);
/// Calls `type(object).__tain_convert__(object)` and converts what it returns to an owned value: 1
/// done, 0 the class has no such method, -1 with a Python error set.
int ConvertByProtocol(PyObject* object, TainAny* out) noexcept;

}  // namespace tain::bindings
