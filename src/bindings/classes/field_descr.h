// SPDX-License-Identifier: Apache-2.0
// Fields as getset descriptors: read and written at their offset where the exact C++ kind is known.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Descriptor definition of a field: lives for ever, as the record does.
PyGetSetDef FieldDescriptor(const TainFieldDef* field, bool frozen);
/// Descriptor definition of a property.
PyGetSetDef PropertyDescriptor(const TainPropertyDef* property);
/// Sets a field of an object as an assignment does; -1 with a Python error set.
int SetFieldValue(TainObject* object, const TainFieldDef* field, PyObject* value) noexcept;
/// Reads a field of an object as an attribute access does.
PyObject* GetFieldValue(TainObject* object, const TainFieldDef* field) noexcept;

}  // namespace tain::bindings
