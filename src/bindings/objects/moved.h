// SPDX-License-Identifier: Apache-2.0
// The result of `x._move()`: it carries the object's reference into a call.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// Takes the object out of a wrapper and returns the carrier; TypeError if the wrapper must keep
/// its object.
PyObject* MoveOut(PyObject* wrapper) noexcept;
/// Returns the place of the reference in a carrier; null if `object` is not a carrier.
TainObject** MovedSlot(PyObject* object) noexcept;
void InitMoved(CoreModule& m);

}  // namespace tain::bindings
