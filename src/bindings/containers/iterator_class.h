// SPDX-License-Identifier: Apache-2.0
// The slots of tain.Iterator beside the members that libtain registers: a fast step.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Sets the slots of the class of `ffi.Iterator`; leaves other classes alone.
void AddIteratorSlots(PyTypeObject* type, const TainTypeRecord* record) noexcept;

}  // namespace tain::bindings
