// SPDX-License-Identifier: Apache-2.0
// The functions of tain._core: the registry, loading, classes by key.
#pragma once

#include "base/py.h"

namespace tain::bindings {

void InitFunctions(nb::module_& m);

}  // namespace tain::bindings
