// SPDX-License-Identifier: Apache-2.0
// Python classes made from the core's records.
#pragma once

#include "objects/class_table.h"

namespace tain::bindings {

/// Makes tain.Object and the other fixed raw types; from then on classes are made on demand. Throws
/// nb::python_error.
void InitClasses(nb::module_& m);

/// What stands for a key beside what the user registers for it: the generated class, or its child
/// that has the class of the parent key in its MRO too. (CPython cannot put that class behind the
/// generated one: its instances have more memory, a `__dict__`.) Kept for ever; throws.
PyTypeObject* OwnClass(PyTypeObject* generated, const ClassRecord& parent);

}  // namespace tain::bindings
