// SPDX-License-Identifier: Apache-2.0
// What `x._move()` returns: the object's reference on its way into a call.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Takes the object out of an instance and returns the carrier; TypeError where the instance must
/// stay.
PyObject* MoveOut(PyObject* instance) noexcept;
/// The slot of a carrier; null if `object` is none.
TainObject** MovedSlot(PyObject* object) noexcept;
void InitMoved(nb::module_& m);

}  // namespace tain::bindings
