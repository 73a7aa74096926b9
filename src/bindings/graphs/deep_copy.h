// SPDX-License-Identifier: Apache-2.0
// copy.deepcopy of objects and containers by the core.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Gives objects and containers the core's deep copy.
void InitDeepCopy(nb::module_& m);

}  // namespace tain::bindings
