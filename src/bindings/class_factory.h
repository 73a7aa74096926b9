// SPDX-License-Identifier: Apache-2.0
// Python classes made from the core's records.
#pragma once

#include "class_table.h"

namespace tain::bindings {

/// Makes and enters the class of a type index, parents first; null with an error set.
ClassRecord* BuildClass(int32_t type_index) noexcept;
/// The Python class of a static type index that needs no generated class (str, int, tain.Error
/// ...), borrowed; or null.
PyObject* ClassOfStaticIndex(int32_t type_index) noexcept;
/// Makes tain.Object and the other fixed raw types. Throws nb::python_error.
void InitClasses(nb::module_& m);

/// What stands for a key beside what the user registers for it: the generated class, or its child
/// that has the class of the parent key in its MRO too. (CPython cannot put that class behind the
/// generated one: its instances have more memory, a `__dict__`.) Kept for ever; throws.
PyTypeObject* OwnClass(PyTypeObject* generated, const ClassRecord& parent);

}  // namespace tain::bindings
