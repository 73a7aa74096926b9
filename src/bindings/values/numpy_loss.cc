// SPDX-License-Identifier: Apache-2.0
// Values that numpy converts to a number only with a warning; see numpy_loss.h.
#include "values/numpy_loss.h"

#include "base/error.h"
#include "base/gil.h"

namespace tain::bindings {
namespace {

/// Returns an attribute, or an invalid object if there is none.
nb::object AttributeOf(nb::handle object, const char* name) {
  PyObject* found = ParkIfEnded([&] { return PyObject_GetAttrString(object.ptr(), name); });
  if (found == nullptr) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
    PyErr_Clear();
  }
  return nb::steal(found);
}

}  // namespace

bool HasComplexType(PyObject* object) {
  const nb::object dtype = AttributeOf(object, "dtype");
  if (!dtype.is_valid()) return false;
  const nb::object kind = AttributeOf(dtype, "kind");
  return kind.is_valid() && IsText(kind.ptr(), "c");
}

bool HasMaskedValue(PyObject* object) {
  const nb::object module = ImportedModule("numpy.ma");
  if (!module.is_valid()) return false;
  const nb::object cls = AttributeOf(module, "MaskedArray");
  if (!cls.is_valid() || !PyType_Check(cls.ptr()) ||
      !PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(cls.ptr()))) {
    return false;
  }
  return Checked(ParkIfEnded(
                     [&] { return PyObject_CallMethod(module.ptr(), "is_masked", "O", object); }))
      .is(nb::handle(Py_True));
}

}  // namespace tain::bindings
