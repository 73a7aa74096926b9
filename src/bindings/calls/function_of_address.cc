// SPDX-License-Identifier: Apache-2.0
// Functions of addresses, which keep alive what owns the code; see function_of_address.h.
#include "calls/function_of_address.h"

#include "base/error.h"
#include "base/release_queue.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// What a Function of an address refers to.
template <class Code>
struct AddressFunction {
  Code* code;
  PyObject* kept;  ///< what owns the code, or null

  static void Delete(void* self) noexcept {
    auto* function = static_cast<AddressFunction*>(self);
    if (function->kept != nullptr) ReleasePython(function->kept);
    delete function;
  }
};

using SafeCode = int(void* self, const TainAny* args, int32_t num_args, TainAny* result);
using PackedCode = void(void** slots);

int CallCode(SafeCode* code, const TainAny* args, int32_t num_args, TainAny* result) {
  return code(nullptr, args, num_args, result);
}

int CallCode(PackedCode* code, const TainAny* args, int32_t num_args, TainAny* result) {
  void* handle = nullptr;
  int status = 0;
  void* slots[] = {&handle, &args, &num_args, &result, &status};
  code(slots);
  return status;
}

template <class Code>
int Call(void* self, const TainAny* args, int32_t num_args, TainAny* result) {
  return CallCode(static_cast<AddressFunction<Code>*>(self)->code, args, num_args, result);
}

template <class Code>
PyObject* Make(PyObject* args, PyObject* kwargs, const char* format, const char* first) {
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    char* names[] = {const_cast<char*>(first), const_cast<char*>("keep_alive_object"), nullptr};
    PyObject *number = nullptr, *kept = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, names, &number, &kept)) return nullptr;
    const Own index(PyNumber_Index(number));
    if (!index) return nullptr;
    void* address = PyLong_AsVoidPtr(index.get());
    if (address == nullptr) {
      if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s: expected an address, got 0", first);
      return nullptr;
    }
    auto* function = new AddressFunction<Code>{reinterpret_cast<Code*>(address),
                                               kept == Py_None ? nullptr : Py_NewRef(kept)};
    TainObject* made = nullptr;
    if (TainFunctionCreate(function, &Call<Code>, &AddressFunction<Code>::Delete, &made) != 0) {
      AddressFunction<Code>::Delete(function);
      ThrowFromCore();
    }
    return Wrap(made);
  });
}

}  // namespace

PyObject* FunctionOfSafeCall(PyObject*, PyObject* args, PyObject* kwargs) {
  return Make<SafeCode>(args, kwargs, "O|$O:__from_extern_c__", "c_symbol");
}

PyObject* FunctionOfPackedCall(PyObject*, PyObject* args, PyObject* kwargs) {
  return Make<PackedCode>(args, kwargs, "O|$O:__from_mlir_packed_safe_call__",
                          "mlir_packed_symbol");
}

}  // namespace tain::bindings
