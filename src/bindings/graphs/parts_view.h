// SPDX-License-Identifier: Apache-2.0
// The parts of a value for Python: what tain.show and tain.diff read.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Adds `tain._core.parts`.
void DefinePartsView(nb::module_& m);

}  // namespace tain::bindings
