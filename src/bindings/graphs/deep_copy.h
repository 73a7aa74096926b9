// SPDX-License-Identifier: Apache-2.0
// copy.deepcopy of objects and containers by the core.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Gives tain.Object and its containers the core's deep copy; call it when the classes exist.
void InitDeepCopy(nb::module_& m);

}  // namespace tain::bindings
