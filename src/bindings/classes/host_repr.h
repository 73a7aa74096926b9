// SPDX-License-Identifier: Apache-2.0
// The repr of Python classes and callables, for the core.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Installs the hooks.
void InitHostRepr();

}  // namespace tain::bindings
