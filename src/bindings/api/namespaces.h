// SPDX-License-Identifier: Apache-2.0
// The look-up of attributes of the modules below tain.types.
#pragma once

#include "base/py.h"

namespace tain::bindings {

void InitNamespaces(nb::module_& m);

}  // namespace tain::bindings
