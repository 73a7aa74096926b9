// SPDX-License-Identifier: Apache-2.0
// Hooks of the bridge that the core calls: overrides, signals, repr of Python values.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Installs the hooks; throws nb::python_error.
void InitHost();

}  // namespace tain::bindings
