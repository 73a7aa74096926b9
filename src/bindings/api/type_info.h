// SPDX-License-Identifier: Apache-2.0
// type_info(cls_or_key): the registered facts about a type, as nanobind classes.
#pragma once

#include "base/py.h"

namespace tain::bindings {

void InitTypeInfo(nb::module_& m);

}  // namespace tain::bindings
