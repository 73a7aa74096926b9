// SPDX-License-Identifier: Apache-2.0
// What the bridge gives to the core: overrides, signals, repr of Python values.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Installs the hooks; throws nb::python_error.
void InitHost();

}  // namespace tain::bindings
