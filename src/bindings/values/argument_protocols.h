// SPDX-License-Identifier: Apache-2.0
// What a package has said about the methods and classes by which objects of others cross.
#pragma once

#include "base/bridge_lock.h"

namespace tain::bindings {

/// Converts an object by the table that `set_argument_protocols` has set: by the first of its methods
/// that the class of the object has, else by a class. The result is an owned value. Returns 1 if done,
/// 0 if the table has nothing for the object, -1 with a Python error set.
int ConvertByTable(PyObject* object, TainAny* out) noexcept;
/// Defines `set_argument_protocols`.
void DefineArgumentProtocols(CoreModule& m);

}  // namespace tain::bindings
