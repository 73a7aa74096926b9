// SPDX-License-Identifier: Apache-2.0
// Gives new C++ objects to wrappers that Python has made.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Makes `object` the object of a wrapper, in place of the object that it may have. Takes over
/// the reference. Returns -1 with TypeError set if the object is not of the wrapper's class or
/// already has a Python object, or if a call uses the wrapper's present object. `what` is the name
/// of the calling method.
int AttachFresh(PyObject* self, TainObject* object, const char* what) noexcept;

}  // namespace tain::bindings
