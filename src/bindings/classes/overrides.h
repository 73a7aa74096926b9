// SPDX-License-Identifier: Apache-2.0
// Virtual methods in Python classes: overrides that C++ calls, final methods, abstract methods.
#pragma once

#include <string_view>
#include <vector>

#include "objects/class_table.h"

namespace tain::bindings {

/// A hook of the host: calls the override of a virtual method or property, if the wrapper's class
/// has one.
int CallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                 int32_t num_args, TainAny* result, int* handled);

/// Whether the type itself, without its parents, has a method with one of the flags.
bool HasMethodFlag(const TainTypeRecord* record, int32_t flags) noexcept;
/// Makes a class abstract if it has abstract methods of its type from its generated class, which may
/// be the same class; throws nb::python_error.
void MarkAbstract(PyTypeObject* type, PyTypeObject* generated, const TainTypeRecord* record);
/// Checks a Python subclass. If it overrides a final method, returns -1 with an error set. If it
/// does not override an abstract method, makes it abstract.
int CheckOverrides(PyTypeObject* type) noexcept;
/// Sets TypeError for an abstract class of which an object is made. Always returns -1.
int SetAbstractError(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
