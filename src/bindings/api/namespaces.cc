// SPDX-License-Identifier: Apache-2.0
// The look-up of attributes of the modules below tain.types.
#include "api/init.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "objects/found_names.h"

namespace tain::bindings {
namespace {

/// The tp_getattro of namespaces: what the module's `__getattr__` finds is kept.
PyObject* GetAttribute(PyObject* self, PyObject* name) noexcept {
  if (!IsKeptName(name)) return PyModule_Type.tp_getattro(self, name);
  // An attribute that somebody has set hides what is registered.
  if (PyObject* own = DictValue(PyModule_GetDict(self), name)) return own;
  if (PyErr_Occurred()) return nullptr;
  if (PyObject* found = FindKept(self, name)) return found;
  const Finding finding;
  PyObject* found = PyModule_Type.tp_getattro(self, name);
  if (found != nullptr) finding.Keep(self, name, found, true);
  return found;
}

void KeepNames(nb::handle cls) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  if (!PyType_Check(cls.ptr()) || !PyType_IsSubtype(type, &PyModule_Type) ||
      type->tp_getattro != PyModule_Type.tp_getattro) {
    ThrowGiven("keep_names: expected a class of modules that looks attributes up as modules do",
               cls);
  }
  type->tp_getattro = kLocked<&GetAttribute>;
  PyType_Modified(type);
}

}  // namespace

void InitNamespaces(CoreModule& m) {
  m.def(
      "keep_names", &KeepNames, nb::arg("cls"), nb::sig("def keep_names(cls: type) -> None"),
      "Lets the modules of a class keep what their `__getattr__` finds, until the registry or the "
      "class of a key changes.");
}

}  // namespace tain::bindings
