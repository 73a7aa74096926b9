// SPDX-License-Identifier: Apache-2.0
// The Python class or enum of a type key; see class_table.h.
#include "objects/class_table.h"

#include "base/error_class.h"
#include "base/type_keys.h"
#include "objects/enums.h"

namespace tain::bindings {
namespace {

PyObject* FindRegistered(std::string_view key) {
  if (FindEnum(key) != nullptr) return EnumClass(key);
  const int32_t index = FindTypeIndex(key);
  if (index < 0) {
    PyObject* error_class = DefinedErrorClass(key);
    return error_class == nullptr ? nullptr : Py_NewRef(error_class);
  }
  if (PyObject* builtin = ClassOfStaticIndex(index)) return Py_NewRef(builtin);
  PyTypeObject* type = ClassOf(index);
  if (type == nullptr) throw nb::python_error();
  return Py_NewRef(reinterpret_cast<PyObject*>(type));
}

}  // namespace

PyObject* FindClassOfKey(std::string_view key, bool load) {
  RaisePendingFaults();
  if (PyObject* found = FindRegistered(key)) return found;
  if (!load) return nullptr;
  AskForMissing("key", key);
  return FindRegistered(key);
}

PyObject* ClassOfKey(std::string_view key) {
  if (PyObject* found = FindClassOfKey(key)) return found;
  ThrowUnknownKey(key);
}

}  // namespace tain::bindings
