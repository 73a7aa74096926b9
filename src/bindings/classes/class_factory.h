// SPDX-License-Identifier: Apache-2.0
// Makes Python classes from the core's records.
#pragma once

#include "objects/class_table.h"

namespace tain::bindings {

/// Returns the class of a key if the user registers none: the generated class, or a child of it
/// that also has the class of the parent key in its MRO. (CPython cannot make that class a base of
/// the generated one, because its instances have more memory, a `__dict__`.) The class is never
/// freed. Throws nb::python_error.
PyTypeObject* OwnClass(PyTypeObject* generated, const ClassRecord& parent);

}  // namespace tain::bindings
