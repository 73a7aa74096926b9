// SPDX-License-Identifier: Apache-2.0
// Copies of objects with other values in some fields, for Python.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Registers `_core.copy_with`.
void DefineRebuildObject(nb::module_& m);

}  // namespace tain::bindings
