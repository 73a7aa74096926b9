// SPDX-License-Identifier: Apache-2.0
// What Python classes do with the methods of their C++ type: overrides that C++ calls, final
// methods, abstract ones.
#pragma once

#include <string_view>
#include <vector>

#include "objects/class_table.h"

namespace tain::bindings {

/// Host hook: calls the override of a virtual method or property, if the mirror's class has one.
int CallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                 int32_t num_args, TainAny* result, int* handled);

/// Whether the type itself, without its parents, has a method with one of the flags.
bool HasMethodFlag(const TainTypeRecord* record, int32_t flags) noexcept;
/// Makes a generated class abstract whose type has abstract methods; throws nb::python_error.
void MarkAbstract(PyTypeObject* generated, const TainTypeRecord* record);
/// Refuses a Python subclass that overrides a final method, and makes it abstract if it leaves an
/// abstract method as it is; -1 with an error set.
int CheckOverrides(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
