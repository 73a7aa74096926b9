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

/// Gives a class that exists already the class that its parent key has now.
void RebaseClass(ClassRecord* record);

}  // namespace tain::bindings
