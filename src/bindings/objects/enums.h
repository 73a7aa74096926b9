// SPDX-License-Identifier: Apache-2.0
// C++ enums as Python enums: enum.IntEnum, enum.IntFlag or enum.StrEnum.
#pragma once

#include <string>
#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// A made enum class; never freed.
struct EnumRecord {
  std::string key;
  const TainEnumInfo* info;
  PyObject* cls;
  PyObject* members;  ///< dict: value -> member
  bool is_made;       ///< whether tain made the class; otherwise it was written in Python
};

/// Returns the number of a member.
nb::int_ EnumMemberNumber(const TainEnumInfo& info, const TainEnumMember& member);
/// Returns the value of a member in Python: its int or its text.
nb::object EnumMemberValue(const TainEnumInfo& info, const TainEnumMember& member);
/// Returns the enum class of a key as a new reference and makes it if necessary; throws
/// nb::python_error.
PyObject* EnumClass(std::string_view key);
/// Returns the enum member for a value that C++ passed as int or str. `type` is the key of the
/// enum, possibly with `| None`. Takes over `value`; returns null with an error set.
PyObject* EnumMember(std::string_view type, PyObject* value) noexcept;
/// Makes a class written in Python the class of a registered enum that has the same members.
void AdoptEnumClass(const std::string& key, nb::handle cls);
/// Returns the registered description of an enum class; null for other objects.
const TainEnumInfo* InfoOfEnumClass(PyObject* cls) noexcept;

/// Whether an object is a member of an enum class that belongs to a registered enum.
inline bool IsEnumMember(PyObject* object) noexcept {
  PyTypeObject* type = Py_TYPE(object);
  constexpr unsigned long kMayBe = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS;
  if (TAIN_LIKELY((type->tp_flags & kMayBe) == 0 || type == &PyUnicode_Type ||
                  type == &PyLong_Type || type == &PyBool_Type)) {
    return false;
  }
  return InfoOfEnumClass(reinterpret_cast<PyObject*>(type)) != nullptr;
}
/// Whether a member of an enum is passed to C++ as an opaque object when C++ declares `type`: for
/// `Any`, for a union, and for another enum, which then refuses it.
bool CrossesAsItselfSlow(PyObject* member, std::string_view type) noexcept;
inline bool CrossesAsItself(PyObject* object, std::string_view type) noexcept {
  return IsEnumMember(object) && CrossesAsItselfSlow(object, type);
}

}  // namespace tain::bindings
