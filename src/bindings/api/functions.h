// SPDX-License-Identifier: Apache-2.0
// The functions of tain._core: the registry, loading, classes by key.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The functions that each program needs that loads a library, and the rest.
void DefineFunctions(nb::module_& m);
void DefineProcessInfo(nb::module_& m);

}  // namespace tain::bindings
