// SPDX-License-Identifier: Apache-2.0
// Which class a user sees for a key, and what the classes behind it are called.
//
// A class that `register_object` or `py_class` puts in place of a generated one has that one among
// its bases, because `super()` and the look-up of overrides need it. Nobody is to see two classes,
// so those behind take the name and the place of the one in front, and make instances of it.
#pragma once

#include "objects/class_table.h"

namespace tain::bindings {

/// Whether tain made the class for the record's key.
bool IsMadeFor(const ClassRecord& record, PyTypeObject* type) noexcept;
/// The class that stands for what tain made for a key; any other class itself.
PyTypeObject* VisibleClass(PyTypeObject* type) noexcept;

/// What help, repr and pickle call a class by.
struct ClassNames {
  nb::object name, qualname, module;
};
/// Reads them; throws what reading them raises.
ClassNames NamesOf(PyTypeObject* type);
/// Those that the class of a key has if the user registers nothing for it.
ClassNames NamesOfKey(std::string_view key);
/// Gives all classes that tain made for a key the names of the one in front of them.
void GiveNames(const ClassRecord& record, const ClassNames& names);
/// Makes a module the home of all classes below a namespace, those made already and those to come.
void AdoptNamespace(const std::string& name, const std::string& module);
/// Gives a class without documentation that of the type.
void InheritDoc(PyTypeObject* type, const ClassRecord& record);

}  // namespace tain::bindings
