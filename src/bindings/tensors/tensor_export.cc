// SPDX-License-Identifier: Apache-2.0
// The ways in which tain.Tensor offers its memory: DLPack and the buffer protocol.
#include "tensors/class_parts.h"

#include <memory>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/state.h"
#include "objects/instance.h"
#include "tensors/exchange_api.h"
#include "tensors/tensor_receiver.h"

namespace tain::bindings {
namespace {

// ---------------------------------------------------------------- DLPack

/// Frees a tensor that nobody took out of its capsule.
template <class Managed>
void EndCapsule(PyObject* capsule) {
  const char* name = CapsuleNames<Managed>::kName;
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

template <class Managed>
PyObject* NewCapsule(Managed* managed) {
  PyObject* made = PyCapsule_New(managed, CapsuleNames<Managed>::kName, &EndCapsule<Managed>);
  if (made == nullptr) managed->deleter(managed);
  return made;
}

PyObject* UnversionedCapsule(TainObject* tensor) {
  DLManagedTensor* managed = nullptr;
  if (TainTensorToDLPack(tensor, &managed) != 0) ThrowFromCore();
  return NewCapsule(managed);
}

PyObject* VersionedCapsule(TainObject* tensor, bool copied) {
  DLManagedTensorVersioned* managed = nullptr;
  if (TainTensorToDLPackVersioned(tensor, &managed) != 0) ThrowFromCore();
  if (copied) managed->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  return NewCapsule(managed);
}

/// The keyword arguments of `__dlpack__` in the array API.
struct Request {
  PyObject* stream = Py_None;
  PyObject* max_version = Py_None;
  PyObject* dl_device = Py_None;
  PyObject* copy = Py_None;
};

bool ReadRequest(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, Request* out) {
  if (nargs > 0) {
    PyErr_SetString(PyExc_TypeError, "Tensor.__dlpack__(): all arguments are keywords");
    return false;
  }
  const Py_ssize_t named = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, i);
    if (IsText(name, "stream")) {
      out->stream = args[i];
    } else if (IsText(name, "max_version")) {
      out->max_version = args[i];
    } else if (IsText(name, "dl_device")) {
      out->dl_device = args[i];
    } else if (IsText(name, "copy")) {
      out->copy = args[i];
    } else {
      PyErr_Format(PyExc_TypeError, "Tensor.__dlpack__(): unexpected keyword argument '%U'", name);
      return false;
    }
  }
  return true;
}

/// Returns the two numbers of a pair such as (1, 0).
std::pair<int64_t, int64_t> PairOf(PyObject* pair, const char* what) {
  if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
    ThrowError(PyExc_TypeError, "Tensor.__dlpack__(): argument %s: expected a pair of ints, got %s",
               what, TypeName(pair));
  }
  const long long first = PyLong_AsLongLong(PyTuple_GET_ITEM(pair, 0));
  if (first == -1 && PyErr_Occurred()) throw nb::python_error();
  const long long second = PyLong_AsLongLong(PyTuple_GET_ITEM(pair, 1));
  if (second == -1 && PyErr_Occurred()) throw nb::python_error();
  return {first, second};
}

bool IsOwnDevice(const TensorObj& tensor, PyObject* dl_device) {
  if (dl_device == Py_None) return true;
  const auto [type, id] = PairOf(dl_device, "dl_device");
  return type == int64_t{tensor.device.device_type} && id == tensor.device.device_id;
}

PyObject* DLPack(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  TensorObj* tensor = TensorOf(self);
  Request request;
  if (tensor == nullptr || !ReadRequest(args, nargs, kwnames, &request)) return nullptr;
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    ObjectPtr<TensorObj> source(tensor);
    if (request.stream != Py_None && tensor->device.device_type == kDLCPU) {
      TAIN_THROW(ValueError) << "Tensor.__dlpack__(): argument stream: expected None for a tensor "
                                "in the memory of the processor";
    }
    if (!IsOwnDevice(*tensor, request.dl_device)) {
      TAIN_THROW(BufferError) << "Tensor.__dlpack__(): argument dl_device: the tensor cannot be "
                                 "exported to another device than its own";
    }
    if (request.copy != Py_None && !PyBool_Check(request.copy)) {
      TAIN_THROW(TypeError) << "Tensor.__dlpack__(): argument copy: expected bool or None, got "
                            << TypeName(request.copy);
    }
    const bool copied = request.copy == Py_True;
    if (copied) source = CopyOf(*tensor);
    const bool versioned =
        request.max_version != Py_None && PairOf(request.max_version, "max_version").first >= 1;
    return versioned ? VersionedCapsule(HeaderOf(*source), copied)
                     : UnversionedCapsule(HeaderOf(*source));
  });
}

PyObject* DLPackDevice(PyObject* self, PyObject*) {
  const TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  return Py_BuildValue("(ii)", static_cast<int>(tensor->device.device_type),
                       static_cast<int>(tensor->device.device_id));
}

PyObject* ToDLPack(PyObject* self, PyObject*) {
  TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  return Guarded<PyObject*>(nullptr, [&] { return UnversionedCapsule(HeaderOf(*tensor)); });
}

// ---------------------------------------------------------------- DLPack's table of C functions

/// Returns the Tensor of a Python object given to the table.
TensorObj* TensorFromTable(void* py_object) noexcept {
  auto* object = static_cast<PyObject*>(py_object);
  if (IsWrapper(object)) return TensorOf(object);
  PyErr_Format(PyExc_TypeError, "expected tain.Tensor, got %s", TypeName(object));
  return nullptr;
}

int TableFromPython(void* py_object, DLManagedTensorVersioned** out) noexcept {
  TensorObj* tensor = TensorFromTable(py_object);
  if (tensor == nullptr) return -1;
  if (TainTensorToDLPackVersioned(HeaderOf(*tensor), out) == 0) return 0;
  SetFromCore();
  return -1;
}

int TableToPython(DLManagedTensorVersioned* managed, void** out) noexcept {
  TainObject* made = nullptr;
  if (TainTensorFromDLPackVersioned(managed, 0, 0, &made) != 0) {
    SetFromCore();
    return -1;
  }
  *out = Wrap(made);
  return *out == nullptr ? -1 : 0;
}

int TableView(void* py_object, DLTensor* out) noexcept {
  const TensorObj* tensor = TensorFromTable(py_object);
  if (tensor == nullptr) return -1;
  *out = *tensor;
  return 0;
}

int TableStream(DLDeviceType device_type, int32_t device_id, void** out) noexcept {
  *out = TainEnvGetStream(device_type, device_id);
  return 0;
}

int TableAllocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_context,
                  void (*set_error)(void* context, const char* kind,
                                    const char* message)) noexcept {
  try {
    const ShapeView shape{prototype->shape, static_cast<size_t>(prototype->ndim)};
    const ObjectPtr<TensorObj> made =
        internal::AllocateTensor(shape, prototype->dtype, prototype->device);
    internal::ThrowIfFailed(TainTensorToDLPackVersioned(HeaderOf(*made), out));
    return 0;
  } catch (const Error& error) {
    set_error(error_context, std::string(error.kind()).c_str(), error.message().c_str());
  } catch (const std::exception& error) {
    set_error(error_context, "MemoryError", error.what());
  }
  return -1;
}

const ExchangeApi exchange_api = {{{1, 3}, nullptr}, &TableAllocate, &TableFromPython,
                                  &TableToPython,    &TableView,     &TableStream};

// ---------------------------------------------------------------- the buffer protocol

/// Returns the code of the module struct for a data type; null if there is none.
const char* FormatOf(DLDataType dtype) noexcept {
  if (dtype.lanes != 1) return nullptr;
  const auto pick = [&](const char* of8, const char* of16, const char* of32, const char* of64) {
    return dtype.bits == 8    ? of8
           : dtype.bits == 16 ? of16
           : dtype.bits == 32 ? of32
           : dtype.bits == 64 ? of64
                              : nullptr;
  };
  switch (dtype.code) {
    case kDLBool: return dtype.bits == 8 ? "?" : nullptr;
    case kDLInt: return pick("b", "h", "i", "q");
    case kDLUInt: return pick("B", "H", "I", "Q");
    case kDLFloat: return pick(nullptr, "e", "f", "d");
    case kDLComplex: return dtype.bits == 128 ? "Zd" : pick(nullptr, nullptr, nullptr, "Zf");
    default: return nullptr;
  }
}

/// The data of one export: the tensor, and its extents and strides in bytes.
struct Export {
  ObjectPtr<TensorObj> tensor;
  std::vector<Py_ssize_t> shape;
  std::vector<Py_ssize_t> strides;
};

/// Refuses a request for the elements' format that cannot be met. Without extents a buffer is bytes,
/// so only bytes may have a format then.
int CheckFormat(DLDataType dtype, int flags) noexcept {
  const char* format = FormatOf(dtype);
  if (format == nullptr) {
    const bool are_whole_bytes = int{dtype.bits} * dtype.lanes % 8 == 0;
    if ((flags & PyBUF_FORMAT) == 0 && are_whole_bytes) return 0;
    return RefuseBuffer("the elements of this Tensor have no format of the buffer protocol");
  }
  if ((flags & PyBUF_FORMAT) == 0 || (flags & PyBUF_ND) != 0 || format[0] == 'B') return 0;
  return RefuseBuffer("a format was asked for, but no shape: then the elements are bytes");
}

/// Returns the strides in bytes. Where elements lie together, they are those of the order even for
/// extents of 0 and 1, whose strides mean nothing, because consumers look at them.
std::vector<Py_ssize_t> ByteStrides(const DLTensor& tensor, bool row_major, bool column_major) {
  const auto ndim = static_cast<size_t>(tensor.ndim);
  std::vector<Py_ssize_t> strides(tensor.strides, tensor.strides + ndim);
  int64_t step = 1;
  for (size_t i = 0; (row_major || column_major) && i < ndim; ++i) {
    const size_t at = row_major ? ndim - 1 - i : i;
    strides[at] = step;
    step *= tensor.shape[at];
  }
  for (Py_ssize_t& stride : strides) stride *= ItemSize(tensor.dtype);
  return strides;
}

int FillBuffer(TensorObj* tensor, Py_buffer* view, int flags) {
  if (CheckFormat(tensor->dtype, flags) != 0) return -1;
  if (!internal::IsHostMemory(tensor->device)) {
    return RefuseBuffer("the Tensor is not in the memory of the processor");
  }
  const bool read_only = internal::IsReadOnly(HeaderOf(*tensor));
  if (read_only && (flags & PyBUF_WRITABLE) != 0) return RefuseBuffer("the Tensor is read-only");
  const bool row_major = internal::IsDense(*tensor, true);
  const bool column_major = internal::IsDense(*tensor, false);
  const bool shaped = (flags & PyBUF_ND) == PyBUF_ND;
  const bool strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
  const auto asks_for = [flags](int order) { return (flags & order) == order; };
  const bool by_column = asks_for(PyBUF_F_CONTIGUOUS);
  if ((!row_major && (!strided || asks_for(PyBUF_C_CONTIGUOUS))) || (by_column && !column_major) ||
      (asks_for(PyBUF_ANY_CONTIGUOUS) && !row_major && !column_major)) {
    return RefuseBuffer("the elements of the Tensor are not contiguous in the order asked for");
  }
  auto made = std::make_unique<Export>();
  made->tensor = ObjectPtr<TensorObj>(tensor);
  const int64_t item = ItemSize(tensor->dtype);
  made->shape.assign(tensor->shape, tensor->shape + tensor->ndim);
  made->strides = ByteStrides(*tensor, row_major && !by_column, column_major);
  view->buf = static_cast<char*>(tensor->data) + tensor->byte_offset;
  view->len = static_cast<Py_ssize_t>(internal::NumElements(*tensor) * item);
  view->readonly = read_only ? 1 : 0;
  view->itemsize = static_cast<Py_ssize_t>(item);
  const char* format = (flags & PyBUF_FORMAT) != 0 ? FormatOf(tensor->dtype) : nullptr;
  view->format = const_cast<char*>(format);  // it is never changed
  // Who asks for no extents reads one row of bytes.
  view->ndim = shaped ? tensor->ndim : 1;
  const bool is_scalar = tensor->ndim == 0;
  view->shape = shaped && !is_scalar ? made->shape.data() : nullptr;
  view->strides = strided && !is_scalar ? made->strides.data() : nullptr;
  view->suboffsets = nullptr;
  view->internal = made.release();
  return 0;
}

int GetBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) {
    const Own cause(TakeRaised());
    return RefuseBuffer("the Tensor is empty");
  }
  const int code = Guarded(-1, [&] { return FillBuffer(tensor, view, flags); });
  if (code == 0) view->obj = Py_NewRef(self);
  return code;
}

void EndExport(PyObject*, Py_buffer* view) { delete static_cast<Export*>(view->internal); }

}  // namespace

void AddExportMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods) {
  SetSlots(slots, {Slot(Py_bf_getbuffer, kLocked<&GetBuffer>),
                   Slot(Py_bf_releasebuffer, kLocked<&EndExport>)});
  methods->insert(
      methods->end(),
      {{"__dlpack__", MethodPointer(kLocked<&DLPack>), METH_FASTCALL | METH_KEYWORDS,
        "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
        "A capsule of DLPack that shares the memory."},
       {"__dlpack_device__", kLocked<&DLPackDevice>, METH_NOARGS,
        "__dlpack_device__($self, /)\n--\n\nKind and number of the device."},
       {"to_dlpack", kLocked<&ToDLPack>, METH_NOARGS,
        "to_dlpack($self, /)\n--\n\nA capsule in the form before DLPack 1.0."}});
}

void AddExchangeApi(PyTypeObject* type) {
  const nb::object capsule = Checked(
      PyCapsule_New(const_cast<ExchangeApi*>(&exchange_api), ExchangeApi::kCapsule, nullptr));
  if (PyDict_SetItem(type->tp_dict, GetState().names.exchange_api, capsule.ptr()) != 0) {
    throw nb::python_error();
  }
  PyType_Modified(type);
}

}  // namespace tain::bindings
