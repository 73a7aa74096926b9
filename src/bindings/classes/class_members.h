// SPDX-License-Identifier: Apache-2.0
// The members of a generated class that are not fields: methods, constants, annotations,
// __match_args__, __signature__.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Adds the members to a new class; throws nb::python_error.
void AddMembers(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
