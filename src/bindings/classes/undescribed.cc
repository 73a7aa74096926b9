// SPDX-License-Identifier: Apache-2.0
// The errors of objects whose class has no ObjectDef; see undescribed.h.
#include "classes/undescribed.h"

#include "base/error.h"

namespace tain::bindings {
namespace {

PyObject* GetMissing(PyObject* self, PyObject* name) {
  PyErr_Format(PyExc_AttributeError,
               "'%s' object has no attribute '%S': no ObjectDef describes its C++ class, so Python "
               "knows neither fields nor methods of it",
               TypeName(self), name);
  return nullptr;
}

PyMethodDef get_missing = {"__getattr__", &GetMissing, METH_O, "Says why there is no attribute."};

bool IsOurs(PyObject* found) noexcept {
  return found != nullptr && Py_IS_TYPE(found, &PyMethodDescr_Type) &&
         reinterpret_cast<PyMethodDescrObject*>(found)->d_method == &get_missing;
}

}  // namespace

bool IsUndescribed(const TainTypeRecord* record) noexcept {
  return record->info->type_index >= kTainDynObjectBegin &&
         (record->def.flags & kTainTypeDefined) == 0 && record->num_fields == 0 &&
         record->num_methods == 0 && record->num_properties == 0 && record->num_constants == 0;
}

void ExplainUndescribed(PyTypeObject* type, const TainTypeRecord* record) {
  constexpr const char* kName = "__getattr__";
  for (PyTypeObject* at = type->tp_base; at != nullptr; at = at->tp_base) {
    if (at->tp_dict == nullptr || !IsOurs(PyDict_GetItemString(at->tp_dict, kName))) continue;
    nb::delattr(nb::handle(reinterpret_cast<PyObject*>(at)), kName);
  }
  if (!IsUndescribed(record)) return;
  const nb::object method = nb::steal(PyDescr_NewMethod(type, &get_missing));
  if (!method.is_valid()) throw nb::python_error();
  nb::setattr(nb::handle(reinterpret_cast<PyObject*>(type)), kName, method);
}

}  // namespace tain::bindings
