// SPDX-License-Identifier: Apache-2.0
// The class that users see for a key; see visible_class.h.
#include "classes/visible_class.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/type_keys.h"
#include "objects/enums.h"
#include "objects/state.h"

namespace tain::bindings {
namespace {

/// Calls type.__getattribute__ and type.__setattr__, and ignores those of a metaclass.
nb::object GetOfType(PyTypeObject* type, const char* name) {
  return Checked(PyType_Type.tp_getattro(reinterpret_cast<PyObject*>(type), nb::str(name).ptr()));
}
void SetOfType(PyTypeObject* type, const char* name, nb::handle value) {
  if (PyType_Type.tp_setattro(reinterpret_cast<PyObject*>(type), nb::str(name).ptr(),
                              value.ptr()) != 0) {
    throw nb::python_error();
  }
}

}  // namespace

bool IsMadeFor(const ClassRecord& record, PyTypeObject* type) noexcept {
  return std::find(record.made.begin(), record.made.end(), type) != record.made.end();
}

PyTypeObject* VisibleClass(PyTypeObject* type) noexcept {
  const ClassRecord* record = RecordOfType(type);
  return record != nullptr && IsMadeFor(*record, type) ? record->type : type;
}

std::string NameInRepr(PyTypeObject* type) {
  const ClassRecord* record = RecordOfType(type);
  if (record == nullptr || (type == record->type && IsMadeFor(*record, type))) return {};
  return Utf8Of(GetOfType(type, "__qualname__"));
}

ClassNames NamesOf(PyTypeObject* type) {
  return {GetOfType(type, "__name__"), GetOfType(type, "__qualname__"),
          GetOfType(type, "__module__")};
}

ClassNames NamesOfKey(std::string_view key) {
  return {Text(ClassNameOfKey(key)), Text(QualNameOfKey(key)), Text(ModuleOfKey(key))};
}

void GiveNestedNames(std::string_view key, PyTypeObject* type) {
  if (OuterKeyOf(key).empty()) return;
  const ClassNames names = NamesOfKey(key);
  SetOfType(type, "__qualname__", names.qualname);
  SetOfType(type, "__module__", names.module);
}

void GiveNames(const ClassRecord& record, const ClassNames& names) {
  const std::vector<PyTypeObject*> made = record.made;  // setting may run Python code
  for (PyTypeObject* type : made) {
    SetOfType(type, "__name__", names.name);
    SetOfType(type, "__qualname__", names.qualname);
    SetOfType(type, "__module__", names.module);
  }
}

void InheritDoc(PyTypeObject* type, const ClassRecord& record) {
  if (GetOfType(type, "__doc__").is_none()) {
    SetOfType(type, "__doc__", GetOfType(record.generated, "__doc__"));
  }
}

void RenameClassOfKey(const std::string& key) {
  if (const auto found = GetObjectsState().enums.records.find(key);
      found != GetObjectsState().enums.records.end()) {
    if (!found->second->is_made) return;
    const nb::object cls = nb::borrow(found->second->cls);  // setting an attribute runs Python
    const ClassNames names = NamesOfKey(key);
    cls.attr("__qualname__") = names.qualname;
    cls.attr("__module__") = names.module;
    return;
  }
  const std::vector<ClassRecord*> entered =
      GetObjectsState().classes.Entered();  // naming runs Python
  for (const ClassRecord* record : entered) {
    if (View(record->record->info->type_key) != key) continue;
    if (IsMadeFor(*record, record->type)) GiveNames(*record, NamesOfKey(key));
  }
}

void AdoptNamespace(const std::string& name, const std::string& module) {
  State& state = GetState();
  state.adopted[name] = module;
  const std::vector<ClassRecord*> entered =
      GetObjectsState().classes.Entered();  // naming runs Python
  for (const ClassRecord* record : entered) {
    if (record->type_index < kTainDynObjectBegin) continue;
    const std::string_view key = View(record->record->info->type_key);
    if (key.substr(0, name.size() + 1) != name + ".") continue;
    if (IsMadeFor(*record, record->type)) GiveNames(*record, NamesOfKey(key));
  }
  std::vector<std::string> enums;  // setting an attribute of one runs Python
  for (const auto& [key, record] : GetObjectsState().enums.records) {
    if (key.compare(0, name.size() + 1, name + ".") == 0) enums.push_back(key);
  }
  for (const std::string& key : enums) RenameClassOfKey(key);
}

}  // namespace tain::bindings
