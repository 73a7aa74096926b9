// SPDX-License-Identifier: Apache-2.0
// What a package has said about the methods and classes by which objects of others cross.
#pragma once

#include "base/bridge_lock.h"

namespace tain::bindings {

/// Converts an object by a method of its class: as ConvertByProtocol does, else by the table that
/// `set_argument_protocols` has set, by the first of its methods that the class has, else by a class of
/// the table. The result is an owned value. Returns 1 if done, 0 if there is nothing for the object, -1
/// with a Python error set.
/// FromPython asks this last about an object of no class that it knows, and remembers that there is
/// nothing (IsFormless).
int ConvertByMethods(PyObject* object, TainAny* out) noexcept;
/// Whether it is known of a class, as it is now, that FromPython knows no form of its objects but that of
/// an array, a callable or an opaque value.
bool IsFormless(PyTypeObject* type) noexcept;
/// Defines `set_argument_protocols`.
void DefineArgumentProtocols(CoreModule& m);

}  // namespace tain::bindings
