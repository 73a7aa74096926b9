// SPDX-License-Identifier: Apache-2.0
// Python subclasses of generated classes, prepared before their first instance exists.
#include "classes/class_parts.h"

#include "base/error.h"
#include "base/state.h"
#include "base/tie.h"
#include "classes/overrides.h"
#include "objects/class_table.h"
#include "objects/gc.h"
#include "objects/override_sets.h"
#include "values/host_equality.h"

namespace tain::bindings {
namespace {

/// Refuses a class whose generated bases are unrelated; -1 with TypeError set. So the first of them
/// in the MRO is the most derived one.
int CheckBases(PyTypeObject* type) noexcept {
  PyTypeObject* first = nullptr;
  PyObject* mro = type->tp_mro;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro, i));
    if (base->tp_dealloc != &InstanceDealloc) continue;
    if (first == nullptr) {
      first = base;
    } else if (!PyType_IsSubtype(first, base)) {
      PyErr_Format(
          PyExc_TypeError,
          "%s: the C++ types %s and %s are unrelated, so one object cannot be both; derive "
          "from one and hold the other in an attribute",
          type->tp_name, first->tp_name, base->tp_name);
      return -1;
    }
  }
  if (first != nullptr) return 0;
  PyErr_Format(PyExc_TypeError,
               "%s: its MRO lacks tain.Object, from which it derives (the mro() of its metaclass "
               "must keep all bases)",
               type->tp_name);
  return -1;
}

/// Whether a generated base of a class has a C++ field of this name.
bool HasCppField(PyTypeObject* type, PyObject* name) noexcept {
  const Own mro = Own::Share(type->tp_mro);  // keys of a class may run Python code
  for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(mro.get()); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro.get(), i));
    if (base->tp_dealloc != &InstanceDealloc) continue;
    const Own found(DictValue(base->tp_dict, name));
    if (found) return Py_TYPE(found.get()) == &PyGetSetDescr_Type;
  }
  return false;
}

/// Removes the slots of a class that have the names of C++ fields, which they would hide.
/// `dataclasses.dataclass(slots=True)` makes a slot for each field that it knows. Returns -1 with an
/// error set.
int RemoveHidingSlots(PyTypeObject* type) noexcept {
  const Own names(PyDict_Keys(type->tp_dict));
  if (!names) return -1;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names.get()); ++i) {
    PyObject* name = PyList_GET_ITEM(names.get(), i);
    const Own value(DictValue(type->tp_dict, name));
    if (!value || Py_TYPE(value.get()) != &PyMemberDescr_Type) continue;
    if (!PyUnicode_Check(name) || !HasCppField(type, name)) continue;
    if (PyObject_DelAttr(reinterpret_cast<PyObject*>(type), name) != 0) return -1;
  }
  return 0;
}

/// Gives a Python subclass without its own __init__ or __new__ the slots of its generated class. For
/// __init__ CPython sets a slot that looks the method up, and for __new__ it takes that of the base
/// with the layout.
void InheritConstruction(PyTypeObject* type) noexcept {
  PyTypeObject* generated = GeneratedBase(type);
  const auto inherits = [&](PyObject* name) {
    return _PyType_Lookup(type, name) == _PyType_Lookup(generated, name);
  };
  if (type->tp_init != generated->tp_init && inherits(GetState().names.init)) {
    type->tp_init = generated->tp_init;
  }
  if (TAIN_LIKELY(type->tp_new == generated->tp_new)) return;
  const Own name(PyUnicode_InternFromString("__new__"));
  if (!name) return PyErr_Clear();  // without memory the class keeps its slot
  if (inherits(name.get())) type->tp_new = generated->tp_new;
}

}  // namespace

void AdoptSubclass(PyTypeObject* type) {
  PyTypeObject* generated = GeneratedBase(type);
  if (generated == nullptr) return;  // the class is not tain's
  const ClassRecord* record = RecordOfType(generated);
  if (record != nullptr) FollowSubclasses(record->type_index);
  for (; type->tp_dealloc != &InstanceDealloc; type = type->tp_base) {
    if (type->tp_dealloc != &SubclassDealloc) {  // others look at it once there are instances
      AdoptTraverse(type);
      type->tp_dealloc = &SubclassDealloc;
    }
    InheritConstruction(type);
    AddOverrideSet(type);
  }
}

int AdmitSubclass(PyTypeObject* type) noexcept {
  if (CheckBases(type) != 0 || RemoveHidingSlots(type) != 0 || CheckOverrides(type) != 0) return -1;
  return Guarded(-1, [&] {
    AdoptSubclass(type);
    return 0;
  });
}

}  // namespace tain::bindings
