// SPDX-License-Identifier: Apache-2.0
// type_info(cls_or_key): what is registered of a type, as nanobind classes.
#pragma once

#include "base/py.h"

namespace tain::bindings {

void InitTypeInfo(nb::module_& m);

}  // namespace tain::bindings
