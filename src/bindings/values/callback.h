// SPDX-License-Identifier: Apache-2.0
// Python callables as Functions, and the calls from C++ into them.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// A Python callable as a Function; a new strong reference, null without memory.
TainObject* MakeCallback(PyObject* callable) noexcept;

}  // namespace tain::bindings
