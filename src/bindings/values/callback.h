// SPDX-License-Identifier: Apache-2.0
// Makes Functions of Python callables, and calls them from C++.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Returns a Function of a Python callable: a new strong reference, or null if there is no memory.
TainObject* MakeCallback(PyObject* callable) noexcept;

}  // namespace tain::bindings
