// SPDX-License-Identifier: Apache-2.0
// Fields as getset descriptors, which read and write at the field's offset if its C++ kind is
// known.
#pragma once

#include <string>
#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// Returns the getset definition of a field. It is never freed, as the record.
PyGetSetDef FieldDescriptor(const TainFieldDef* field, bool frozen);
/// Returns `Point.x` for messages: the class without its namespace.
std::string MemberPlace(int32_t declaring_type, std::string_view member);
/// Returns what the conditions of a field ask for, `above 0`; empty if there are none.
std::string_view CheckOf(const TainFieldDef& field) noexcept;
/// Sets a field of an object as an assignment does; -1 with a Python error set.
int SetFieldValue(TainObject* object, const TainFieldDef* field, PyObject* value) noexcept;
/// Reads a field of an object as an attribute access does.
PyObject* GetFieldValue(TainObject* object, const TainFieldDef* field) noexcept;

}  // namespace tain::bindings
