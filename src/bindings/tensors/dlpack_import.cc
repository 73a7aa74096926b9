// SPDX-License-Identifier: Apache-2.0
// Imports by DLPack; see dlpack_import.h.
#include "tensors/dlpack_import.h"

#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/gil.h"
#include "base/release_queue.h"
#include "tensors/array_class.h"
#include "tensors/exchange_api.h"
#include "tensors/state.h"
#include "tensors/tensor_receiver.h"

namespace tain::bindings {
namespace {

/// Calls a deleter of DLPack, and drops the array, if any.
template <class Managed>
void ReleaseManaged(TainTensorTail* tail) {
  auto* managed = static_cast<Managed*>(tail->owner);
  auto* array = static_cast<PyObject*>(tail->array);
  const bool holds_gil = HoldsGil();
  if (managed->deleter != nullptr && holds_gil) {
    // A deleter may run Python code, while the exception of a call is on its way.
    PyObject* raised = TakeRaised();
    managed->deleter(managed);
    if (PyErr_Occurred() != nullptr) PyErr_WriteUnraisable(nullptr);
    if (raised != nullptr) SetRaised(raised);
  } else if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
  if (holds_gil) {
    Py_XDECREF(array);
  } else {
    ReleasePython(array);
  }
}

template <class Managed>
TainObject* TakeManaged(Managed* managed) {
  TainObject* made = nullptr;
  int code;
  if constexpr (std::is_same_v<Managed, DLManagedTensor>) {
    code = TainTensorFromDLPack(managed, 0, 0, &made);
  } else {
    code = TainTensorFromDLPackVersioned(managed, 0, 0, &made);
  }
  if (code != 0) return nullptr;
  TensorObjOf(made)->tail.release = &ReleaseManaged<Managed>;
  return made;
}

template <class Managed>
bool IsCapsuleOf(PyObject* object) noexcept {
  return PyCapsule_IsValid(object, CapsuleNames<Managed>::kName) != 0;
}

/// Takes the tensor out of a capsule; throws the core's error.
template <class Managed>
TainObject* TakeFromCapsule(PyObject* capsule) {
  void* pointer = PyCapsule_GetPointer(capsule, CapsuleNames<Managed>::kName);
  auto* managed = static_cast<Managed*>(pointer);
  if (managed == nullptr) throw nb::python_error();
  TainObject* made = TakeManaged(managed);
  if (made == nullptr) ThrowFromCore();
  PyCapsule_SetName(capsule,
                    CapsuleNames<Managed>::kUsed);  // its destructor does nothing from now on
  return made;
}

/// Returns what `__dlpack_device__()` of an object has answered.
std::pair<int32_t, int32_t> DeviceOf(PyObject* object, const nb::object& answer) {
  int32_t type = 0, number = 0;
  if (PyTuple_Check(answer.ptr()) && PyTuple_GET_SIZE(answer.ptr()) == 2 &&
      nb::try_cast(nb::handle(PyTuple_GET_ITEM(answer.ptr(), 0)), type) &&
      nb::try_cast(nb::handle(PyTuple_GET_ITEM(answer.ptr(), 1)), number)) {
    return {type, number};
  }
  ThrowError(PyExc_TypeError,
             "%s.__dlpack_device__(): expected a tuple of the kind of a device and its number",
             TypeName(object));
}

nb::object CallDLPack(PyObject* object, nb::handle device, nb::handle copy) {
  const nb::handle array(object);
  nb::dict keywords = NewDict();
  keywords["max_version"] = nb::make_tuple(1, 1);
  const bool asks = !device.is_none() || !copy.is_none();
  if (!device.is_none()) keywords["dl_device"] = device;
  if (!copy.is_none()) keywords["copy"] = copy;
  const nb::object device_of = AttrOrNone(array, "__dlpack_device__");
  if (device_of.is_none()) {
    ThrowError(PyExc_TypeError, "%s has __dlpack__ but no __dlpack_device__", TypeName(object));
  }
  const auto [type, number] = DeviceOf(object, device_of());
  if (type != kDLCPU) {
    // None is the device's default stream. A producer that is not told a stream, as PyTorch, may
    // put nothing in order.
    void* stream = TainEnvGetStream(type, number);
    keywords["stream"] =
        stream == nullptr ? nb::object(nb::none()) : nb::int_(reinterpret_cast<uintptr_t>(stream));
  }
  const nb::object method = array.attr("__dlpack__");
  try {
    return method(**keywords);
  } catch (nb::python_error& e) {
    if (asks || !e.matches(PyExc_TypeError)) throw;
  }
  // A producer from before DLPack 1.0 does not know the keyword.
  PyDict_DelItemString(keywords.ptr(), "max_version");
  return method(**keywords);
}

/// Whether an object says, as a buffer, that the memory of a tensor cannot be written.
bool IsReadOnlyBuffer(PyObject* object, const TensorObj& tensor) {
  if (PyObject_CheckBuffer(object) == 0) return false;
  Py_buffer view;
  if (PyObject_GetBuffer(object, &view, PyBUF_STRIDES) != 0) {
    if (PyErr_ExceptionMatches(PyExc_MemoryError) || !PyErr_ExceptionMatches(PyExc_Exception)) {
      throw nb::python_error();
    }
    PyErr_Clear();
    return false;
  }
  const bool is_read_only = view.readonly != 0;
  const bool is_same = view.buf == static_cast<char*>(tensor.data) + tensor.byte_offset;
  PyBuffer_Release(&view);
  return is_read_only && is_same;
}

/// Throws BufferError if torch has put off the negation or conjugation of elements, which the bytes
/// do not show. Only complex tensors, and their imaginary parts, which have gaps, can be so.
void CheckNothingIsPutOff(PyObject* object, const DLTensor& tensor) {
  const bool is_complex = tensor.dtype.code == kDLComplex;
  const int32_t last = tensor.ndim - 1;
  const bool has_no_gaps = (last >= 0 && tensor.shape[last] > 1 && tensor.strides[last] == 1) ||
                           (internal::IsDense(tensor, true) && internal::NumElements(tensor) > 1);
  if (!is_complex && (tensor.dtype.code != kDLFloat || has_no_gaps)) return;
  const nb::handle array(object);
  const bool is_conj = is_complex && nb::cast<bool>(nb::object(array.attr("is_conj")()));
  if (!is_conj && !nb::cast<bool>(nb::object(array.attr("is_neg")()))) return;
  PyErr_SetString(PyExc_BufferError, is_conj ? "its elements are conjugated when torch reads them: "
                                               "call resolve_conj() first"
                                             : "its elements are negated when torch reads them: "
                                               "call resolve_neg() first");
  throw nb::python_error();
}

}  // namespace

TainObject* TensorFromCapsule(PyObject* capsule) {
  using Versioned = DLManagedTensorVersioned;
  if (IsCapsuleOf<Versioned>(capsule)) return TakeFromCapsule<Versioned>(capsule);
  if (IsCapsuleOf<DLManagedTensor>(capsule)) return TakeFromCapsule<DLManagedTensor>(capsule);
  if (PyCapsule_CheckExact(capsule)) {
    const char* name = PyCapsule_GetName(capsule);
    const std::string_view text = name == nullptr ? "" : name;
    if (text == CapsuleNames<DLManagedTensor>::kUsed || text == CapsuleNames<Versioned>::kUsed) {
      PyErr_SetString(PyExc_ValueError,
                      "the capsule of DLPack was used already; it can be used once");
    } else {
      PyErr_Format(PyExc_TypeError, "expected a capsule of DLPack, got one with the name '%s'",
                   name == nullptr ? "" : name);
    }
  } else {
    PyErr_Format(PyExc_TypeError, "expected a capsule of DLPack, got %s", TypeName(capsule));
  }
  throw nb::python_error();
}

TainObject* TensorFromDLPackMethod(PyObject* object, nb::handle device, nb::handle copy) {
  const nb::object capsule = CallDLPack(object, device, copy);
  const bool is_unversioned = IsCapsuleOf<DLManagedTensor>(capsule.ptr());
  auto made = internal::RefAccess::Steal<TensorObj>(TensorFromCapsule(capsule.ptr()));
  // DLPack before 1.0 cannot say so, and JAX's arrays, which never change, are exported that way.
  if (is_unversioned && made->device.device_type == kDLCPU && IsReadOnlyBuffer(object, *made)) {
    made->tail.flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  return internal::RefAccess::Release(made);
}

TainObject* TensorFromTable(PyObject* object, const ArrayClass& cls) {
  const ExchangeApi* api = cls.api;
  const bool is_torch = cls.is_torch;  // the class may be forgotten while Python code runs
  DLManagedTensorVersioned* managed = nullptr;
  if (api->managed_tensor_from_py_object_no_sync(object, &managed) != 0 || managed == nullptr) {
    ThrowFromTable(object, "was not exported");
  }
  TainObject* made = TakeManaged(managed);
  if (made == nullptr) {
    if (managed->deleter != nullptr) managed->deleter(managed);
    ThrowFromCore();
  }
  auto tensor = internal::RefAccess::Steal<TensorObj>(made);
  if (is_torch) CheckNothingIsPutOff(object, *tensor.get());
  return internal::RefAccess::Release(tensor);
}

}  // namespace tain::bindings
