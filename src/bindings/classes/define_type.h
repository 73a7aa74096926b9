// SPDX-License-Identifier: Apache-2.0
// Types and enums that Python defines: the functions of tain._core that tain.py_class calls.
#pragma once

#include "base/py.h"

namespace tain::bindings {

void DefineTypes(nb::module_& m);

}  // namespace tain::bindings
