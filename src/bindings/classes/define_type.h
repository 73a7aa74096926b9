// SPDX-License-Identifier: Apache-2.0
// Types and enums that Python defines: the functions of tain._core behind tain.py_class.
#pragma once

#include "base/py.h"

namespace tain::bindings {

void InitDefineType(nb::module_& m);

}  // namespace tain::bindings
