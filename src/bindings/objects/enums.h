// SPDX-License-Identifier: Apache-2.0
// C++ enums as real Python enums: enum.IntEnum, enum.IntFlag or enum.StrEnum.
#pragma once

#include <string>
#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// The enum class of a key as a new reference, made when first asked for; throws nb::python_error.
PyObject* EnumClass(std::string_view key);
/// The member for a value that crossed as int or str, where `type` is the enum's key or that `|
/// None`; takes over `value`; null with an error set.
PyObject* EnumMember(std::string_view type, PyObject* value) noexcept;
/// Makes a class written in Python the class of an enum that is registered with the same members.
void AdoptEnumClass(const std::string& key, nb::handle cls);
/// What was registered of a class that EnumClass made; null for other objects.
const TainEnumInfo* InfoOfEnumClass(PyObject* cls) noexcept;

/// Whether an object is a member of an enum that tain knows.
inline bool IsEnumMember(PyObject* object) noexcept {
  PyTypeObject* type = Py_TYPE(object);
  constexpr unsigned long kMayBe = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS;
  if (TAIN_LIKELY((type->tp_flags & kMayBe) == 0 || type == &PyUnicode_Type ||
                  type == &PyLong_Type || type == &PyBool_Type)) {
    return false;
  }
  return InfoOfEnumClass(reinterpret_cast<PyObject*>(type)) != nullptr;
}
/// Whether an object stays what it is in Python where C++ declares this type: a member of an enum,
/// for `Any`, or for another enum, which will refuse it.
bool CrossesAsItselfSlow(PyObject* member, std::string_view type) noexcept;
inline bool CrossesAsItself(PyObject* object, std::string_view type) noexcept {
  return IsEnumMember(object) && CrossesAsItselfSlow(object, type);
}

}  // namespace tain::bindings
