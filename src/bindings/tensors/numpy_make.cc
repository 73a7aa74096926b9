// SPDX-License-Identifier: Apache-2.0
// Makes arrays of numpy; see numpy_make.h.
#include "tensors/numpy_make.h"

#include <array>

#include "base/error.h"
#include "objects/instance.h"
#include "tensors/numpy_array.h"
#include "tensors/state.h"
#include "tensors/tensor_receiver.h"
#include "values/device_dtype.h"

namespace tain::bindings {
namespace {

constexpr const char* kArrayBase = "tain.Tensor";
constexpr int kMaxDims = 64;  // of a Tensor

/// Places in numpy's table.
enum NumpyFunction { kArrayType = 2, kDescrFromType = 45, kNewFromDescr = 94, kSetBase = 282 };

using DescrFromType = PyObject* (*)(int number);
/// Takes over the reference to `descr`.
using NewFromDescr = PyObject* (*)(PyTypeObject* type, PyObject* descr, int ndim,
                                   const Py_ssize_t* shape, const Py_ssize_t* strides, void* data,
                                   int flags, PyObject* object);
/// Takes over the reference to `base`, also if it fails.
using SetBase = int (*)(PyObject* array, PyObject* base);

template <class F>
F FunctionAt(NumpyFunction place) noexcept {
  return reinterpret_cast<F>(GetTensorsState().numpy_functions[place]);
}

/// Finds numpy's table of functions. Throws nb::python_error.
TAIN_COLD void FindNumpy() {
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object core = AttrOrNone(numpy, "_core");  // numpy 1 has no underscore
  if (core.is_none()) core = numpy.attr("core");
  const nb::object capsule = core.attr("_multiarray_umath").attr("_ARRAY_API");
  auto** functions = static_cast<void**>(PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (functions == nullptr) throw nb::python_error();
  if (functions[kArrayType] != nb::object(numpy.attr("ndarray")).ptr()) {
    ThrowType("numpy: the table of its functions has another form than the one that tain knows");
  }
  GetTensorsState().numpy_functions = functions;
}

/// Drops the Tensor that an array has as its base.
void DropTensor(PyObject* capsule) {
  internal::DecRef(static_cast<TainObject*>(PyCapsule_GetPointer(capsule, kArrayBase)));
}

/// Makes an array of elements that numpy has no type of its own for, such as bfloat16.
nb::object ByHelper(TainObject* tensor) {
  const nb::object wrapped = Checked(WrapBorrowed(tensor));
  return nb::module_::import_("tain._tensors").attr("as_numpy")(wrapped);
}

[[noreturn]] void ThrowDevice(const TensorObj& tensor) {
  const nb::object device = DeviceObject(tensor.device);
  TAIN_THROW(BufferError) << "a Tensor on " << nb::str(device).c_str()
                          << " cannot be an array of numpy: copy it to the processor with the "
                             "library that made it, or return it without tain::as_numpy()";
}

PyObject* MakeArray(TainObject* header, const TensorObj& tensor, int number) {
  std::array<Py_ssize_t, kMaxDims> strides;  // NOLINT: not initialized, because it is long
  const auto item = static_cast<Py_ssize_t>(ItemSize(tensor.dtype));
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    strides[static_cast<size_t>(i)] = static_cast<Py_ssize_t>(tensor.strides[i]) * item;
  }
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  PyObject* descr = FunctionAt<DescrFromType>(kDescrFromType)(number);
  if (descr == nullptr) return nullptr;
  const Own array(FunctionAt<NewFromDescr>(kNewFromDescr)(
      static_cast<PyTypeObject*>(GetTensorsState().numpy_functions[kArrayType]), descr, tensor.ndim,
      reinterpret_cast<const Py_ssize_t*>(tensor.shape), strides.data(),
      static_cast<char*>(tensor.data) + tensor.byte_offset,
      internal::IsReadOnly(header) ? 0 : kNumpyIsWritable, nullptr));
  if (!array) return nullptr;
  internal::IncRef(header);
  PyObject* base = PyCapsule_New(header, kArrayBase, &DropTensor);
  if (base == nullptr) {
    internal::DecRef(header);
    return nullptr;
  }
  if (FunctionAt<SetBase>(kSetBase)(array.get(), base) != 0) return nullptr;
  return Py_NewRef(array.get());
}

}  // namespace

PyObject* NewNumpyArray(TainObject* tensor) noexcept {
  const TensorObj* usable = UsableTensor(tensor);
  if (usable == nullptr) return nullptr;
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    if (!internal::IsHostMemory(usable->device)) ThrowDevice(*usable);
    const int number = NumpyTypeNumber(usable->dtype);
    if (TAIN_UNLIKELY(number < 0)) return ByHelper(tensor).release().ptr();
    if (TAIN_UNLIKELY(GetTensorsState().numpy_functions == nullptr)) FindNumpy();
    return MakeArray(tensor, *usable, number);
  });
}

}  // namespace tain::bindings
