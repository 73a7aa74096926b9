// SPDX-License-Identifier: Apache-2.0
// What a generated class holds beside its fields: methods, constants, annotations, __match_args__,
// __signature__.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Fills a class that was just made; throws nb::python_error.
void AddMembers(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
