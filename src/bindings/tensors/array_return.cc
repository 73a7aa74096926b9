// SPDX-License-Identifier: Apache-2.0
// The object that Python gets for a Tensor: the array that it was made from, an array of the library
// of an argument, or a tain.Tensor.
#include <algorithm>

#include "base/error.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "objects/instance.h"
#include "tain/internal/tensor_loans.h"
#include "tensors/array_class.h"
#include "tensors/buffer_import.h"
#include "tensors/dlpack_import.h"
#include "tensors/exchange_api.h"
#include "tensors/init.h"
#include "tensors/numpy_array.h"
#include "tensors/numpy_make.h"
#include "tensors/state.h"
#include "tensors/tensor_receiver.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

bool SameLayout(const DLTensor& now, const DLTensor& tensor) noexcept {
  if (now.ndim != tensor.ndim || !(now.dtype == tensor.dtype) || !(now.device == tensor.device) ||
      static_cast<char*>(now.data) + now.byte_offset !=
          static_cast<char*>(tensor.data) + tensor.byte_offset ||
      !std::equal(now.shape, now.shape + now.ndim, tensor.shape)) {
    return false;
  }
  if (now.strides == nullptr) return internal::IsDense(tensor, true);
  return std::equal(now.strides, now.strides + now.ndim, tensor.strides);
}

bool IsUnchanged(PyObject* array, const TensorObj& tensor) {
  if (IsNumpyArray(array) || IsNumpySubclass(Py_TYPE(array))) return IsStillNumpy(array, tensor);
  if (HoldsBuffer(tensor)) return true;
  const ArrayClass* cls = ArrayClassOf(Py_TYPE(array));
  if (cls != nullptr && cls->api != nullptr &&
      cls->api->dltensor_from_py_object_no_sync != nullptr) {
    DLTensor now{};
    if (cls->api->dltensor_from_py_object_no_sync(array, &now) == 0) return SameLayout(now, tensor);
    ThrowFromTable(array, "does not tell its layout");
  }
  const auto now =
      internal::RefAccess::Steal<TensorObj>(TensorFromDLPackMethod(array, nb::none(), nb::none()));
  return SameLayout(*now, tensor);
}

/// Returns the array that a Tensor was made from, if its layout has not changed since: a borrowed
/// reference, or null.
PyObject* ArrayOf(TainObject* tensor) noexcept {
  PyObject* array = KeptArray(tensor);
  if (array == nullptr) return nullptr;
  const bool unchanged = Guarded(false, [&] { return IsUnchanged(array, *TensorObjOf(tensor)); });
  if (!unchanged) PyErr_Clear();  // an array that is no longer what it was
  return unchanged ? array : nullptr;
}

PyObject* TensorToPython(TainObject* tensor) noexcept {
  if (LoadTie(tensor) == 0) {
    if (PyObject* array = ArrayOf(tensor)) {
      PyObject* found = Py_NewRef(array);  // the tensor may hold the only reference
      internal::DecRef(tensor);
      return found;
    }
  }
  return Wrap(tensor);
}

/// Converts to the array of numpy that the Tensor was made from, or to a new one.
PyObject* TensorToNumpy(TainObject* tensor) noexcept {
  const auto held = internal::RefAccess::Steal<TensorObj>(tensor);
  PyObject* array = ArrayOf(tensor);
  if (array != nullptr && IsNumpyArray(array)) return Py_NewRef(array);
  return NewNumpyArray(tensor);
}

/// Whether the annotation of a parameter is tain.Tensor.
bool WantsTensor(PyObject* callable, int32_t index, PyObject* name) {
  PyObject* function = PyMethod_Check(callable) ? PyMethod_GET_FUNCTION(callable) : callable;
  if (PyFunction_Check(function)) {
    const PyObject* annotations = PyFunction_GetAnnotations(function);  // borrowed
    if (annotations == nullptr) return false;
  }
  const nb::object wants = nb::module_::import_("tain._tensors").attr("wants_tensor");
  const nb::object place = name != nullptr ? nb::borrow(name) : nb::object(nb::int_(index));
  return nb::cast<bool>(wants(nb::handle(callable), place));
}

PyObject* TensorArgument(PyObject* callable, int32_t index, PyObject* name,
                         TainObject* tensor) noexcept {
  internal::IncRef(tensor);
  if (KeptArray(tensor) == nullptr || LoadTie(tensor) != 0) return TensorToPython(tensor);
  const int wants = Guarded(-1, [&] { return WantsTensor(callable, index, name) ? 1 : 0; });
  if (wants > 0) return Wrap(tensor);
  if (wants == 0) return TensorToPython(tensor);
  internal::DecRef(tensor);
  return nullptr;
}

int EndTensorView(PyObject* wrapper) noexcept {
  TainObject* tensor = IsWrapper(wrapper) ? ObjectOrNull(wrapper) : nullptr;
  if (tensor == nullptr || tensor->type_index != kTainTensor) return 0;
  const TainTensorTail* tail = internal::TensorTailOf(tensor);
  if (tail == nullptr || (tail->flags & kTainTensorIsView) == 0 || tail->owner != nullptr) return 0;
  internal::EndLoan(TensorObjOf(tensor));
  if (StrongCount(tensor) == 1) return 0;
  PyErr_SetString(PyExc_BufferError,
                  "a callback kept an array, a buffer or a view of a Tensor that C++ lent for the "
                  "length of the call: copy it instead");
  return -1;
}

/// Makes an array like another one, which is of the class `cls`, from a Tensor.
nb::object ToLibrary(TainObject* tensor, const ArrayClass& cls, PyObject* like) {
  if (cls.api == nullptr) {
    const nb::object wrapped = Checked(WrapBorrowed(tensor));
    return nb::module_::import_("torch").attr("from_dlpack")(wrapped);
  }
  DLManagedTensorVersioned* managed = nullptr;
  if (TainTensorToDLPackVersioned(tensor, &managed) != 0) ThrowFromCore();
  void* made = nullptr;
  if (cls.api->managed_tensor_to_py_object_no_sync(managed, &made) != 0) {
    managed->deleter(managed);
    ThrowFromTable(like, "cannot be made of a Tensor");
  }
  return nb::steal(static_cast<PyObject*>(made));
}

bool AdoptTensor(const TainAny* args, int32_t num_args, TainAny* result) noexcept {
  const auto* const first = std::find_if(
      args, args + num_args, [](const TainAny& arg) { return arg.type_index == kTainTensor; });
  if (first == args + num_args) return true;
  PyObject* array = KeptArray(first->v_obj);
  if (array == nullptr || LoadTie(result->v_obj) != 0 || IsNumpyArray(array)) return true;
  return Guarded(false, [&] {
    const ArrayClass* cls = ArrayClassOf(Py_TYPE(array));
    if (cls == nullptr || !cls->is_torch) return true;
    const ArrayClass library = *cls;  // what follows may run Python code, which adds classes
    if (ArrayOf(result->v_obj) != nullptr) return true;
    const nb::object made = ToLibrary(result->v_obj, library, array);
    TainObject* opaque = MakeOpaque(made.ptr());
    if (opaque == nullptr) return false;
    internal::DecRef(result->v_obj);
    *result = internal::ViewOfObject(opaque);
    return true;
  });
}

bool WorkOfArray(TainObject* tensor, ArrayWork* out) noexcept {
  PyObject* array = KeptArray(tensor);
  if (array == nullptr) return true;
  return Guarded(false, [&] {
    const ArrayClass* cls = ArrayClassOf(Py_TYPE(array));
    if (cls == nullptr || cls->api == nullptr) return true;
    const ExchangeApi* api = cls->api;
    out->allocator = api->managed_tensor_allocator;
    if (api->current_work_stream == nullptr) return true;
    const DLDevice device = TensorObjOf(tensor)->device;
    if (api->current_work_stream(device.device_type, device.device_id, &out->stream) != 0) {
      ThrowFromTable(array, "does not tell its stream");
    }
    out->has_stream = true;
    return true;
  });
}

}  // namespace

void InitArrayReturn() {
  GetHooks().tensor_to_python = &TensorToPython;
  GetHooks().tensor_to_numpy = &TensorToNumpy;
  GetHooks().tensor_argument = &TensorArgument;
  GetHooks().end_tensor_view = &EndTensorView;
  GetHooks().adopt_tensor = &AdoptTensor;
  GetHooks().work_of_array = &WorkOfArray;
}

}  // namespace tain::bindings
