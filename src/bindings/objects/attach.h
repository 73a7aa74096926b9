// SPDX-License-Identifier: Apache-2.0
// Gives new C++ objects to instances that Python has made.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Gives an object, which is taken over, to an instance in the place of the one it may have; -1
/// with TypeError set if it is not of the instance's class, has a Python object already, or a call
/// uses what the instance has. `what` is the method that does it.
int AttachFresh(PyObject* self, TainObject* object, const char* what) noexcept;

}  // namespace tain::bindings
