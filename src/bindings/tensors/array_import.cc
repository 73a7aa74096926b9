// SPDX-License-Identifier: Apache-2.0
// Arrays of Python as Tensors, and back; see array_import.h.
#include "tensors/array_import.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/gil.h"
#include "base/given_text.h"
#include "base/opaque.h"
#include "base/release_queue.h"
#include "objects/instance.h"
#include "tensors/exchange_api.h"
#include "tensors/numpy_array.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

constexpr const char* kVersioned = "dltensor_versioned";
constexpr const char* kUnversioned = "dltensor";

// ---------------------------------------------------------------- owners of memory

/// Calls a deleter of DLPack, and drops the array, if any.
template <class Managed>
void ReleaseManaged(TainTensorTail* tail) {
  auto* managed = static_cast<Managed*>(tail->owner);
  if (managed->deleter != nullptr && HoldsGil()) {
    // A deleter may run Python code, while the exception of a call is on its way.
    PyObject* raised = TakeRaised();
    managed->deleter(managed);
    if (PyErr_Occurred() != nullptr) PyErr_WriteUnraisable(nullptr);
    if (raised != nullptr) SetRaised(raised);
  } else if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
  if (tail->array != nullptr) ReleasePython(static_cast<PyObject*>(tail->array));
}

void EndBuffer(void* view) {
  PyBuffer_Release(static_cast<Py_buffer*>(view));
  delete static_cast<Py_buffer*>(view);
}

void ReleaseBuffer(TainTensorTail* tail) {
  if (HoldsGil()) {
    EndBuffer(tail->owner);
  } else {
    Later(&EndBuffer, tail->owner);
  }
  ReleasePython(static_cast<PyObject*>(tail->array));
}

TensorObj* TensorObjOf(TainObject* tensor) noexcept {
  return static_cast<TensorObj*>(internal::ObjectAccess::FromHeader(tensor));
}

void Keep(TainObject* tensor, PyObject* array) noexcept {
  TensorObjOf(tensor)->tail.array = Py_NewRef(array);
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

// ---------------------------------------------------------------- DLPack

/// Takes the tensor out of a capsule with this name; throws the core's error.
template <class Managed>
TainObject* TakeFromCapsule(PyObject* capsule, const char* name, const char* used) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed == nullptr) throw nb::python_error();
  TainObject* made = TakeManaged(managed);
  if (made == nullptr) ThrowFromCore();
  PyCapsule_SetName(capsule, used);  // its destructor does nothing from now on
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
  PyErr_Format(PyExc_TypeError,
               "%s.__dlpack_device__(): expected a tuple of the kind of a device and its number",
               TypeName(object));
  throw nb::python_error();
}

nb::object CallDLPack(PyObject* object, nb::handle device, nb::handle copy) {
  const nb::handle array(object);
  nb::dict keywords = NewDict();
  keywords["max_version"] = nb::make_tuple(1, 1);
  const bool asks = !device.is_none() || !copy.is_none();
  if (!device.is_none()) keywords["dl_device"] = device;
  if (!copy.is_none()) keywords["copy"] = copy;
  const nb::object device_of = nb::getattr(array, "__dlpack_device__", nb::none());
  if (device_of.is_none()) {
    PyErr_Format(PyExc_TypeError, "%s has __dlpack__ but no __dlpack_device__", TypeName(object));
    throw nb::python_error();
  }
  const auto [type, number] = DeviceOf(object, device_of());
  if (type != kDLCPU) {
    void* stream = TainEnvGetStream(type, number);
    if (stream != nullptr) keywords["stream"] = reinterpret_cast<uintptr_t>(stream);
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

/// Whether the Python error that is set says that an array cannot be exported.
bool IsRefusal() noexcept {
  return PyErr_ExceptionMatches(PyExc_BufferError) || PyErr_ExceptionMatches(PyExc_TypeError);
}

/// Turns the Python error that is set into the reason of a refusal, or keeps it. A place for any
/// value takes what cannot be exported as it is, whatever the reason.
int Refuse(bool typed, std::string* fault) {
  const bool refused = IsRefusal() || (!typed && PyErr_ExceptionMatches(PyExc_Exception) &&
                                       !PyErr_ExceptionMatches(PyExc_MemoryError));
  if (!refused) return -1;
  const nb::object error = nb::steal(TakeRaised());
  if (fault != nullptr) *fault = TextFrom(nb::str(error), "error");
  return 0;
}

int Done(TainObject* made, TainAny* out) noexcept {
  *out = TainAny{};
  out->type_index = kTainTensor;
  out->v_obj = made;
  return 1;
}

/// Throws the Python error of a function of a table; if it has set none, BufferError: `Array was not
/// exported`. A RuntimeError, by which PyTorch says that it does not export a kind of tensor, becomes
/// a BufferError with its first line.
[[noreturn]] void ThrowFromTable(PyObject* array, const char* what) {
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

/// Throws BufferError if torch has put off the negation or conjugation of elements, which the bytes
/// do not show. Only complex tensors, and their imaginary parts, which have gaps, can be so.
void CheckNothingIsPutOff(PyObject* object, const DLTensor& tensor) {
  const bool is_complex = tensor.dtype.code == kDLComplex;
  if (!is_complex && (tensor.dtype.code != kDLFloat ||
                      (internal::IsDense(tensor, true) && internal::NumElements(tensor) > 1))) {
    return;
  }
  const nb::handle array(object);
  const bool is_conj = is_complex && nb::cast<bool>(nb::object(array.attr("is_conj")()));
  if (!is_conj && !nb::cast<bool>(nb::object(array.attr("is_neg")()))) return;
  PyErr_SetString(PyExc_BufferError, is_conj ? "its elements are conjugated when torch reads them: "
                                               "call resolve_conj() first"
                                             : "its elements are negated when torch reads them: "
                                               "call resolve_neg() first");
  throw nb::python_error();
}

int ByExchangeApi(PyObject* object, const ArrayClass& cls, TainAny* out) {
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
  Keep(made, object);
  return Done(internal::RefAccess::Release(tensor), out);
}

int ByMethod(PyObject* object, TainAny* out) {
  TainObject* made = TensorFromDLPackMethod(object, nb::none(), nb::none());
  Keep(made, object);
  return Done(made, out);
}

// ---------------------------------------------------------------- classes of arrays

/// Returns the table of a class; null if it has none of the first major version.
const ExchangeApi* ExchangeApiOf(PyTypeObject* type) {
  PyObject* capsule = _PyType_Lookup(type, GetState().names.exchange_api);
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
  const nb::object torch = nb::steal(PyImport_GetModule(nb::str("torch").ptr()));
  if (!torch.is_valid()) return false;
  const nb::object tensor = nb::getattr(torch, "Tensor", nb::none());
  return PyType_Check(tensor.ptr()) &&
         PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(tensor.ptr())) != 0;
}

bool IsNumpySubclass(PyTypeObject* type) noexcept {
  const PyTypeObject* numpy = GetState().ndarray_type;
  return numpy != nullptr && PyType_IsSubtype(type, const_cast<PyTypeObject*>(numpy)) != 0;
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
  if (made != nullptr) return Done(made, out);
  if (fault != nullptr) {
    const nb::object dtype = nb::handle(object).attr("dtype");
    *fault = std::string(why) + " (dtype " + TextFrom(nb::str(dtype), "dtype") + ")";
  }
  return 0;
}

int FromOtherArray(PyObject* object, bool typed, TainAny* out, std::string* fault) {
  if (IsNoArray(object)) return 0;
  PyTypeObject* type = Py_TYPE(object);
  const ArrayClass* cls = ArrayClassOf(type);
  if (cls == nullptr) {
    if (!typed || PyObject_CheckBuffer(object) == 0) return 0;
    TainObject* made = TensorFromBuffer(object, fault);
    return made == nullptr ? 0 : Done(made, out);
  }
  if (IsNumpySubclass(type)) return typed ? FromNumpy(object, out, fault) : 0;
  try {
    return cls->api != nullptr ? ByExchangeApi(object, *cls, out) : ByMethod(object, out);
  } catch (nb::python_error& e) {
    e.restore();
  }
  return Refuse(typed, fault);
}

// ---------------------------------------------------------------- unchanged arrays

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
  if (tensor.tail.release == &ReleaseBuffer) return true;  // the export prevents changes
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

// ---------------------------------------------------------------- hooks

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
  const TainTensorTail* tail = internal::TensorTailOf(tensor);
  if (tail == nullptr || tail->array == nullptr || LoadTie(tensor) != 0) {
    return TensorToPython(tensor);
  }
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
  TensorObj* view = TensorObjOf(tensor);
  view->tail.flags |= kTainTensorExpired;
  view->data = nullptr;
  std::fill_n(view->shape, view->ndim, 0);
  if (StrongCount(tensor) == 1) return 0;
  PyErr_SetString(PyExc_BufferError,
                  "a callback kept an array, a buffer or a view of a Tensor that C++ lent for the "
                  "length of the call: copy it instead");
  return -1;
}

/// Makes an array like another one, which is of the class `cls`, from a Tensor.
nb::object ToLibrary(TainObject* tensor, const ArrayClass& cls, PyObject* like) {
  if (cls.api == nullptr) {
    internal::IncRef(tensor);
    const nb::object wrapped = Checked(Wrap(tensor));
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
  const TainTensorTail* tail = internal::TensorTailOf(first->v_obj);
  if (tail == nullptr || tail->array == nullptr || LoadTie(result->v_obj) != 0) return true;
  auto* array = static_cast<PyObject*>(tail->array);
  if (IsNumpyArray(array)) return true;
  return Guarded(false, [&] {
    const ArrayClass* cls = ArrayClassOf(Py_TYPE(array));
    if (cls == nullptr || !cls->is_torch) return true;
    const ArrayClass library = *cls;  // what follows may run Python code, which adds classes
    if (ArrayOf(result->v_obj) != nullptr) return true;
    const nb::object made = ToLibrary(result->v_obj, library, array);
    TainObject* opaque = MakeOpaque(made.ptr());
    if (opaque == nullptr) return false;
    internal::DecRef(result->v_obj);
    result->type_index = kTainOpaquePyObject;
    result->v_obj = opaque;
    return true;
  });
}

bool WorkOfArray(TainObject* tensor, ArrayWork* out) noexcept {
  const TainTensorTail* tail = internal::TensorTailOf(tensor);
  if (tail == nullptr || tail->array == nullptr) return true;
  return Guarded(false, [&] {
    auto* array = static_cast<PyObject*>(tail->array);
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

TainObject* TensorFromCapsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kVersioned)) {
    return TakeFromCapsule<DLManagedTensorVersioned>(capsule, kVersioned,
                                                     "used_dltensor_versioned");
  }
  if (PyCapsule_IsValid(capsule, kUnversioned)) {
    return TakeFromCapsule<DLManagedTensor>(capsule, kUnversioned, "used_dltensor");
  }
  if (PyCapsule_CheckExact(capsule)) {
    const char* name = PyCapsule_GetName(capsule);
    const std::string_view text = name == nullptr ? "" : name;
    if (text == "used_dltensor" || text == "used_dltensor_versioned") {
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
  const bool is_unversioned = PyCapsule_IsValid(capsule.ptr(), kUnversioned) != 0;
  auto made = internal::RefAccess::Steal<TensorObj>(TensorFromCapsule(capsule.ptr()));
  // DLPack before 1.0 cannot say so, and JAX's arrays, which never change, are exported that way.
  if (is_unversioned && made->device.device_type == kDLCPU && IsReadOnlyBuffer(object, *made)) {
    made->tail.flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  return internal::RefAccess::Release(made);
}

namespace {

/// Returns the data type of a format of the module struct, for one number; bits 0 for others.
DLDataType TypeOfFormat(const Py_buffer& view) noexcept {
  std::string_view format = view.format == nullptr ? "B" : view.format;
  if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<')) {
    format.remove_prefix(1);  // the order of bytes of this machine
  }
  const bool is_complex = format.size() == 2 && format[0] == 'Z';
  if (is_complex) format.remove_prefix(1);
  if (format.size() != 1 || view.itemsize < 1 || view.itemsize > 16) return {};
  const auto bits = static_cast<uint8_t>(view.itemsize * 8);
  if (std::string_view("efd").find(format[0]) != std::string_view::npos) {
    return {static_cast<uint8_t>(is_complex ? kDLComplex : kDLFloat), bits, 1};
  }
  if (is_complex) return {};
  if (format[0] == '?') return {kDLBool, bits, 1};
  if (std::string_view("bhilqn").find(format[0]) != std::string_view::npos)
    return {kDLInt, bits, 1};
  if (std::string_view("BHILQN").find(format[0]) != std::string_view::npos)
    return {kDLUInt, bits, 1};
  return {};
}

}  // namespace

TainObject* TensorFromBuffer(PyObject* object, std::string* fault) {
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object, view.get(), PyBUF_RECORDS_RO) != 0) throw nb::python_error();
  DLTensor tensor{};
  tensor.dtype = TypeOfFormat(*view);
  const char* why = nullptr;
  if (tensor.dtype.bits == 0) why = "a tensor cannot have elements of its format";
  if (view->suboffsets != nullptr) why = "its elements are not at fixed distances";
  ObjectPtr<TensorObj> made;
  if (why == nullptr) {
    const auto ndim = static_cast<size_t>(view->ndim);
    std::vector<int64_t> shape(view->shape, view->shape + ndim), strides(ndim);
    if (view->strides == nullptr) {  // an array of ctypes has none, although they were asked for
      int64_t step = view->itemsize;
      for (size_t i = ndim; i-- > 0; step *= shape[i]) strides[i] = step;
    } else {
      strides.assign(view->strides, view->strides + ndim);
    }
    for (size_t i = 0; i < ndim; ++i) {
      if (strides[i] % view->itemsize != 0 && shape[i] > 1) {
        why = "its strides are no multiples of the size of an element";
      }
      strides[i] /= view->itemsize;
    }
    tensor.data = view->buf;
    tensor.device = {kDLCPU, 0};
    tensor.ndim = view->ndim;
    tensor.shape = shape.data();
    tensor.strides = strides.data();
    if (why == nullptr) made = internal::MakeTensor(tensor, {});
  }
  if (why != nullptr) {
    PyBuffer_Release(view.get());
    if (fault != nullptr) *fault = why;
    return nullptr;
  }
  made->tail.flags = view->readonly != 0 ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  made->tail.owner = view.release();
  made->tail.array = Py_NewRef(object);
  made->tail.release = &ReleaseBuffer;
  return internal::RefAccess::Release(made);
}

const ArrayClass* ArrayClassOf(PyTypeObject* type) {
  auto& classes = GetState().array_classes;
  for (const ArrayClass& known : classes) {
    if (known.type == type) return &known;
  }
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

int TensorFromArray(PyObject* object, bool typed, TainAny* out, std::string* fault) noexcept {
  return Guarded(-1, [&] {
    if (TAIN_LIKELY(IsNumpyArray(object))) return FromNumpy(object, out, fault);
    return FromOtherArray(object, typed, out, fault);
  });
}

PyObject* ArrayOf(TainObject* tensor) noexcept {
  const TainTensorTail* tail = internal::TensorTailOf(tensor);
  if (tail == nullptr || tail->array == nullptr) return nullptr;
  auto* array = static_cast<PyObject*>(tail->array);
  const bool unchanged = Guarded(false, [&] { return IsUnchanged(array, *TensorObjOf(tensor)); });
  if (!unchanged) PyErr_Clear();  // an array that is no longer what it was
  return unchanged ? array : nullptr;
}

void InitArrayImport() {
  State& state = GetState();
  state.tensor_from_array = &TensorFromArray;
  state.tensor_to_python = &TensorToPython;
  state.tensor_argument = &TensorArgument;
  state.end_tensor_view = &EndTensorView;
  state.adopt_tensor = &AdoptTensor;
  state.work_of_array = &WorkOfArray;
}

}  // namespace tain::bindings
