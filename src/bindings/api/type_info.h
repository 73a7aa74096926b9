// SPDX-License-Identifier: Apache-2.0
// type_info(cls_or_key): the registered facts about a type, as nanobind classes.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The one of these functions that each load of a library calls.
void DefineStrictTypes(nb::module_& m);
void DefineTypeInfo(nb::module_& m);

}  // namespace tain::bindings
