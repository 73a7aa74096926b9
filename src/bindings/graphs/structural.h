// SPDX-License-Identifier: Apache-2.0
// The functions structural_equal, structural_hash, first_mismatch and free_vars of tain._core.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Adds the functions to the module.
void DefineStructural(nb::module_& m);

}  // namespace tain::bindings
