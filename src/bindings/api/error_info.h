// SPDX-License-Identifier: Apache-2.0
// ErrorInfo and ErrorFieldInfo: what C++ says of an exception class of ErrorDef, and of a field.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Lets exceptions convert their fields.
void InitErrorFields();
void DefineErrorInfo(nb::module_& m);

}  // namespace tain::bindings
