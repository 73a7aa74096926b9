// SPDX-License-Identifier: Apache-2.0
// The class that users see for a key, and the names of the classes behind it.
//
// A class that `register_object` or `py_class` registers in place of a generated class has that
// class as a base, because `super()` and the look-up of overrides need it. Users should see one
// class only, so the classes behind take the name and module of the registered class, and make
// instances of it.
#pragma once

#include "objects/class_table.h"

namespace tain::bindings {

/// Whether tain made the class for the record's key.
bool IsMadeFor(const ClassRecord& record, PyTypeObject* type) noexcept;
/// Returns the registered class if tain made `type` for a key; otherwise `type`.
PyTypeObject* VisibleClass(PyTypeObject* type) noexcept;

/// Returns the name that the repr of an instance begins with: that of a Python subclass; empty for
/// the class of a key, for which the key stands.
std::string NameInRepr(PyTypeObject* type);

/// The names by which help, repr and pickle refer to a class.
struct ClassNames {
  nb::object name, qualname, module;
};
/// Reads the names of a class; passes on the exceptions of reading them.
ClassNames NamesOf(PyTypeObject* type);
/// Returns the names that the class of a key has if the user registers none.
ClassNames NamesOfKey(std::string_view key);
/// Gives these names to all classes that tain made for a key.
void GiveNames(const ClassRecord& record, const ClassNames& names);
/// Gives a class, not yet in the table, the module and the qualified name of its key if it is nested
/// in another: CPython takes both from the full name.
void GiveNestedNames(std::string_view key, PyTypeObject* type);
/// Gives the class of a key, if there is one, the names of the key, unless the user registered it.
void RenameClassOfKey(const std::string& key);
/// Makes a module the `__module__` of all classes of a namespace, present and future ones.
void AdoptNamespace(const std::string& name, const std::string& module);
/// Gives a class without a docstring that of the type.
void InheritDoc(PyTypeObject* type, const ClassRecord& record);

}  // namespace tain::bindings
