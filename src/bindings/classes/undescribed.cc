// SPDX-License-Identifier: Apache-2.0
// Classes with TAIN_OBJECT and no ObjectDef: their errors give this as the reason.
#include "classes/class_parts.h"

#include "base/bridge_lock.h"
#include "base/error.h"

namespace tain::bindings {
namespace {

/// Whether the class of an object, or a base of it, has a name; keeps the error that is set.
bool ClassHas(PyObject* self, PyObject* name) noexcept {
  const nb::error_scope pending;
  const Own found(PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(self)), name));
  if (!found) PyErr_Clear();
  return static_cast<bool>(found);
}

/// The tp_getattro of undescribed classes: says why an attribute is missing.
PyObject* GetAttribute(PyObject* self, PyObject* name) noexcept {
  PyObject* value = PyObject_GenericGetAttr(self, name);
  if (value != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return value;
  if (ClassHas(self, name)) return nullptr;  // a property raised it
  return PyErr_Format(
      PyExc_AttributeError,
      "'%s' object has no attribute '%S': no ObjectDef describes its C++ class, so Python "
      "knows neither fields nor methods of it",
      TypeName(self), name);
}

}  // namespace

bool IsUndescribed(const TainTypeRecord* record) noexcept {
  return record->info->type_index >= kTainDynObjectBegin &&
         (record->def.flags & kTainTypeDefined) == 0 && record->num_fields == 0 &&
         record->num_methods == 0 && record->num_properties == 0 && record->num_constants == 0;
}

void AddUndescribedSlots(const TainTypeRecord* record, const PyTypeObject* parent,
                         std::vector<PyType_Slot>* slots) {
  getattrofunc inherited = parent->tp_getattro;
  if (IsUndescribed(record)) {
    // A parent with a `__getattr__` of its own, such as Module, finds more than the fields.
    if (inherited != &PyObject_GenericGetAttr) return;
    slots->push_back(Slot(Py_tp_getattro, kLocked<&GetAttribute>));
  } else if (constexpr getattrofunc kOurs = kLocked<&GetAttribute>; inherited == kOurs) {
    slots->push_back(Slot(Py_tp_getattro, &PyObject_GenericGetAttr));
  }
}

}  // namespace tain::bindings
