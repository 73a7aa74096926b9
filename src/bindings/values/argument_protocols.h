// SPDX-License-Identifier: Apache-2.0
// What a package has said about the methods and classes by which objects of others cross.
#pragma once

#include "base/bridge_lock.h"

namespace tain::bindings {

/// Converts an object by a method of its class: as ConvertByProtocol does, else by the table that
/// `set_argument_protocols` has set, by the first of its methods that the class has, else by a class of
/// the table. The result is an owned value. Returns 1 if done, 0 if there is nothing for the object, -1
/// with a Python error set.
int ConvertByMethods(PyObject* object, TainAny* out) noexcept;
/// Defines `set_argument_protocols`.
void DefineArgumentProtocols(CoreModule& m);

}  // namespace tain::bindings
