// SPDX-License-Identifier: Apache-2.0
// Classes of arrays; see array_class.h.
#include "tensors/array_class.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/given_text.h"
#include "tensors/exchange_api.h"
#include "tensors/state.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

/// Returns the table of a class; null if it has none of the first major version.
const ExchangeApi* ExchangeApiOf(PyTypeObject* type) {
  const Own member = ClassMember(type, GetState().names.exchange_api);
  PyObject* capsule = member.get();
  if (capsule == nullptr || !PyCapsule_IsValid(capsule, ExchangeApi::kCapsule)) return nullptr;
  auto* header =
      static_cast<ExchangeApiHeader*>(PyCapsule_GetPointer(capsule, ExchangeApi::kCapsule));
  while (header != nullptr && header->version.major != 1) header = header->prev_api;
  const auto* api = reinterpret_cast<const ExchangeApi*>(header);
  const bool whole = api != nullptr && api->managed_tensor_from_py_object_no_sync != nullptr &&
                     api->managed_tensor_to_py_object_no_sync != nullptr;
  return whole ? api : nullptr;
}

bool IsTorch(PyTypeObject* type) {
  const nb::object torch =
      nb::steal(PyImport_GetModule(Checked(PyUnicode_FromString("torch")).ptr()));
  if (!torch.is_valid()) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return false;
  }
  const nb::object tensor = AttrOrNone(torch, "Tensor");
  return PyType_Check(tensor.ptr()) &&
         PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(tensor.ptr())) != 0;
}

}  // namespace

const ArrayClass* ArrayClassOf(PyTypeObject* type) {
  if (const ArrayClass* known = KnownArrayClass(type)) return known;
  auto& classes = GetTensorsState().array_classes;
  const ExchangeApi* api = ExchangeApiOf(type);
  if (api == nullptr && _PyType_Lookup(type, GetState().names.dlpack) == nullptr) return nullptr;
  constexpr size_t kMost = 64;  // a program that makes classes on the fly does not fill the memory
  if (classes.size() == kMost) {
    Py_DECREF(reinterpret_cast<PyObject*>(classes.back().type));
    classes.pop_back();
  }
  const bool is_torch = IsTorch(type);
  classes.push_back({type, api, is_torch});
  Py_NewRef(reinterpret_cast<PyObject*>(type));
  return &classes.back();
}

bool IsNumpySubclass(PyTypeObject* type) noexcept {
  const PyTypeObject* numpy = GetValuesState().ndarray_type;
  return numpy != nullptr && PyType_IsSubtype(type, const_cast<PyTypeObject*>(numpy)) != 0;
}

void ThrowFromTable(PyObject* array, const char* what) {
  if (PyErr_Occurred() == nullptr) {
    PyErr_Format(PyExc_BufferError, "%s %s", TypeName(array), what);
  } else if (PyErr_ExceptionMatches(PyExc_RuntimeError) &&
             !PyErr_ExceptionMatches(PyExc_RecursionError)) {
    const nb::object error = nb::steal(TakeRaised());
    std::string text = TextFrom(nb::str(error), "error");
    text.resize(std::min(text.find('\n'), text.size()));
    PyErr_SetString(PyExc_BufferError, text.c_str());
  }
  throw nb::python_error();
}

}  // namespace tain::bindings
