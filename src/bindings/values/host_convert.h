// SPDX-License-Identifier: Apache-2.0
// Converts opaque Python objects to the forms that C++ parameters ask for.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// TainHost::convert_opaque.
int ConvertForCore(TainObject* object, int32_t form, TainAny* out, int* handled);
/// TainHost::make_opaque.
int MakeForCore(const TainAny* parts, int32_t form, TainAny* out, int* handled);
/// Calls `type(object).__tain_convert__(object)`, or `asobject`, the older name of that method, and
/// converts the result to an owned value. Returns 1 if done, 0 if the class has no such method, -1
/// with a Python error set.
int ConvertByProtocol(PyObject* object, TainAny* out) noexcept;

}  // namespace tain::bindings
