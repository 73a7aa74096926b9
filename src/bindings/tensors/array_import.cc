// SPDX-License-Identifier: Apache-2.0
// Arrays of Python as Tensors; see array_import.h.
#include "tensors/array_import.h"

#include "base/error.h"
#include "base/given_text.h"
#include "base/hooks.h"
#include "objects/instance.h"
#include "tensors/array_class.h"
#include "tensors/buffer_import.h"
#include "tensors/dlpack_import.h"
#include "tensors/init.h"
#include "tensors/numpy_array.h"
#include "tensors/state.h"
#include "tensors/tensor_receiver.h"
#include "values/from_python.h"
#include "values/numpy_loss.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

/// Turns the Python error that is set into the reason of a refusal, or keeps it. A place for any
/// value takes what cannot be exported as it is, whatever the reason.
int RefuseArray(bool typed, std::string* fault) {
  const bool refused = PyErr_ExceptionMatches(PyExc_BufferError) ||
                       PyErr_ExceptionMatches(PyExc_TypeError) ||
                       (!typed && PyErr_ExceptionMatches(PyExc_Exception) &&
                        !PyErr_ExceptionMatches(PyExc_MemoryError));
  if (!refused) return -1;
  const nb::object error = nb::steal(TakeRaised());
  if (fault != nullptr) *fault = TextFrom(nb::str(error), "error");
  return 0;
}

int GiveTensor(TainObject* made, TainAny* out) noexcept {
  SetObject(made, out);
  return 1;
}

/// Whether the object is of a class that is certainly no array.
bool IsNoArray(PyObject* object) noexcept {
  return object == Py_None || PyLong_Check(object) || PyFloat_Check(object) ||
         PyUnicode_Check(object) || PyBytes_Check(object) || PyType_Check(object) ||
         PyList_Check(object) || PyTuple_Check(object) || PyDict_Check(object) || IsWrapper(object);
}

int FromNumpy(PyObject* object, TainAny* out, std::string* fault) {
  const char* why = nullptr;
  TainObject* made = TensorFromNumpy(object, &why);
  if (made != nullptr) return GiveTensor(made, out);
  if (fault != nullptr) {
    const nb::object dtype = nb::handle(object).attr("dtype");
    *fault = std::string(why) + " (dtype " + TextFrom(nb::str(dtype), "dtype") + ")";
  }
  return 0;
}

int FromOtherArray(PyObject* object, bool typed, TainAny* out, std::string* fault) {
  PyTypeObject* type = Py_TYPE(object);
  const ArrayClass* cls = KnownArrayClass(type);
  if (cls == nullptr) {
    if (IsNoArray(object)) return 0;
    if (IsNumpyArray(object)) return FromNumpy(object, out, fault);
    cls = ArrayClassOf(type);
  }
  if (cls == nullptr) {
    if (!typed || PyObject_CheckBuffer(object) == 0) return 0;
    TainObject* made = TensorFromBuffer(object, fault);
    return made == nullptr ? 0 : GiveTensor(made, out);
  }
  if (!cls->is_torch && IsNumpySubclass(type)) {
    if (!typed) return 0;
    if (!HasMaskedValue(object)) return FromNumpy(object, out, fault);
    if (fault != nullptr) *fault = "it has masked values";
    return 0;
  }
  try {
    TainObject* made = cls->api != nullptr ? TensorFromTable(object, *cls)
                                           : TensorFromDLPackMethod(object, nb::none(), nb::none());
    TensorObjOf(made)->tail.array = Py_NewRef(object);
    return GiveTensor(made, out);
  } catch (nb::python_error& e) {
    e.restore();
  }
  return RefuseArray(typed, fault);
}

}  // namespace

int TensorFromArray(PyObject* object, bool typed, TainAny* out, std::string* fault) noexcept {
  return Guarded(-1, [&] {
    // An object of no known class may be the first array of numpy.
    if (Py_TYPE(object) == GetValuesState().ndarray_type) return FromNumpy(object, out, fault);
    return FromOtherArray(object, typed, out, fault);
  });
}

ObjectPtr<TensorObj> TensorOfArray(PyObject* object, std::string* fault) {
  TainAny made{};
  const int code = TensorFromArray(object, true, &made, fault);
  if (code < 0) throw nb::python_error();
  return code == 0 ? nullptr : internal::RefAccess::Steal<TensorObj>(made.v_obj);
}

void InitArrayImport() { GetHooks().tensor_from_array = &TensorFromArray; }

}  // namespace tain::bindings
