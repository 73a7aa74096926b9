// SPDX-License-Identifier: Apache-2.0
// save_json, load_json, save_binary, load_binary and register_upgrade of tain._core.
#pragma once

#include "base/py.h"

namespace tain::bindings {

void DefineSaving(nb::module_& m);

}  // namespace tain::bindings
