// SPDX-License-Identifier: Apache-2.0
// The functions that make tensors in Python.
#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/release_queue.h"
#include "calls/call.h"
#include "calls/method_descr.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "tain/internal/tensor_loans.h"
#include "tensors/array_import.h"
#include "tensors/dlpack_import.h"
#include "tensors/init.h"
#include "tensors/numpy_array.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

nb::object WrapTensor(TainObject* tensor) { return Checked(Wrap(tensor)); }

/// Drops the Python object that keeps the memory of a tensor.
void ReleaseOwner(TainTensorTail* tail) { ReleasePython(static_cast<PyObject*>(tail->owner)); }

/// Gives a Tensor another Python object that keeps its memory, at a place where ArrayOf does not look,
/// so the Tensor stays a Tensor.
nb::object WrapKeptBy(ObjectPtr<TensorObj> tensor, nb::object owner) {
  TainTensorTail& tail = tensor->tail;
  tail.release(&tail);
  tail.owner = owner.release().ptr();
  tail.array = nullptr;
  tail.release = &ReleaseOwner;
  return WrapTensor(internal::RefAccess::Release(tensor));
}

/// Makes a Tensor of a numpy array, whose memory numpy cannot move while the Tensor lives. C++ and
/// Python see no connection with the array. An invalid object if a tensor cannot have its elements.
nb::object FromNumpyMemory(nb::handle array) {
  ObjectPtr<TensorObj> tensor = TensorOfArray(array.ptr(), nullptr);
  if (tensor == nullptr) return {};
  // Numpy refuses to resize an array that has a weak reference.
  nb::object held = nb::make_tuple(nb::handle(static_cast<PyObject*>(tensor->tail.owner)),
                                   nb::handle(static_cast<PyObject*>(tensor->tail.array)));
  return WrapKeptBy(std::move(tensor), std::move(held));
}

nb::object FromAnyDLPack(nb::handle array, nb::handle device, nb::handle copy) {
  if (PyCapsule_CheckExact(array.ptr())) {
    if (!device.is_none() || !copy.is_none()) {
      ThrowType("from_dlpack(): a capsule takes neither device nor copy");
    }
    return WrapTensor(TensorFromCapsule(array.ptr()));
  }
  if (AttrOrNone(array, "__dlpack__").is_none() ||
      AttrOrNone(array, "__dlpack_device__").is_none()) {
    ThrowError(PyExc_TypeError,
               "from_dlpack(): expected an array with __dlpack__ and __dlpack_device__, or a "
               "capsule of DLPack, got %s",
               TypeName(array.ptr()));
  }
  if (device.is_none() && copy.is_none() && IsNumpyArray(array.ptr())) {
    const nb::object made = FromNumpyMemory(array);
    if (made.is_valid()) return made;
  }
  return WrapTensor(TensorFromDLPackMethod(array.ptr(), device, copy));
}

nb::object FromDLPack(nb::handle array, nb::handle device, nb::handle copy, int32_t alignment,
                      bool contiguous) {
  nb::object made = FromAnyDLPack(array, device, copy);
  if (alignment != 0 || contiguous) {
    internal::RequireMemory(*AnyFrom(made).cast<ObjectPtr<TensorObj>>(), alignment, contiguous);
  }
  return made;
}

/// Makes a Tensor of an array that nobody else uses; Python never sees the array again.
nb::object FromOwnArray(nb::handle array) {
  std::string fault;
  ObjectPtr<TensorObj> tensor = TensorOfArray(array.ptr(), &fault);
  if (tensor == nullptr) {
    ThrowError(PyExc_TypeError, "tensor(): expected numbers of one type, got %s%s%s",
               TypeName(array.ptr()), fault.empty() ? "" : ": ", fault.c_str());
  }
  return WrapKeptBy(std::move(tensor), nb::borrow(array));
}

/// Converts a value by a function of tain._core, and returns it as a T.
template <class T>
T ConvertedBy(const char* function, nb::handle value) {
  const nb::object made = nb::module_::import_("tain._core").attr(function)(value);
  return AnyFrom(made).cast<T>();
}

nb::object EmptyTensor(nb::handle shape, nb::handle dtype, nb::handle device) {
  const Any extents = AnyFrom(shape);
  const auto wanted =
      PyLong_Check(shape.ptr())
          ? Shape({internal::CastOrThrow<int64_t>(extents.data(), "empty(): argument shape")})
          : internal::CastOrThrow<Shape>(extents.data(), "empty(): argument shape");
  const auto type = ConvertedBy<DLDataType>("dtype", dtype);
  const auto place =
      device.is_none() ? DLDevice{kDLCPU, 0} : ConvertedBy<DLDevice>("device", device);
  Tensor made = Tensor::Empty(wanted, type, place);
  return WrapTensor(internal::RefAccess::Release(made));
}

/// call_for_array(function, make, *args, **kwargs), without the time that nanobind takes for args.
PyObject* CallFunctionForArray(PyObject*, PyObject* const* args, Py_ssize_t nargs,
                               PyObject* kwnames) {
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    if (nargs < 2) ThrowType("call_for_array(): expected a function and what makes an array");
    TainObject* object = FunctionOfMethod(args[0]);
    if (object == nullptr && Py_TYPE(args[0]) != GetState().function_type) {
      ThrowGiven("call_for_array(): expected tain.Function", args[0]);
    }
    if (object == nullptr) object = ObjectOf(args[0]);
    if (object == nullptr) return nullptr;
    const bool has_names = kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0;
    return CallForArray(object, TainFunctionGetInfo(object), args + 2, nargs - 2,
                        has_names ? kwnames : nullptr, args[1]);
  });
}

PyMethodDef call_for_array = {
    "call_for_array", MethodPointer(kLocked<&CallFunctionForArray>), METH_FASTCALL | METH_KEYWORDS,
    "call_for_array(function, make, /, *args, **kwargs)\n--\n\n"
    "Call a tain.Function or a method, and pass a new Tensor that it returns to `make`."};

}  // namespace

void DefineTensors(CoreModule& m) {
  m.attr("call_for_array") =
      Checked(PyCFunction_NewEx(&call_for_array, nullptr, nb::str("tain._core").ptr()));
  m.def(
      "from_dlpack", &FromDLPack, nb::arg("x").none(), nb::kw_only(),
      nb::arg("device").none() = nb::none(), nb::arg("copy").none() = nb::none(),
      nb::arg("require_alignment") = 0, nb::arg("require_contiguous") = false,
      nb::sig("def from_dlpack(x: object, /, *, device: object | None = None, copy: bool | None = "
              "None, require_alignment: int = 0, require_contiguous: bool = False) -> object"),
      "Make a Tensor that shares the memory of an array.\n\n"
      "Parameters\n----------\n"
      "x : object\n    An array with ``__dlpack__``, or a capsule of DLPack.\n"
      "device : tuple of int, optional\n    The device that is asked for, as DLPack's kind and "
      "number.\n"
      "copy : bool, optional\n    Whether the array is asked to copy its elements.\n"
      "require_alignment : int\n    The first element must be at a multiple of so many bytes; 0: "
      "anywhere.\n"
      "require_contiguous : bool\n    Whether the tensor must be row-major without gaps.\n\n"
      "Raises\n------\n"
      "BufferError\n    The array cannot be exported.\n"
      "ValueError\n    The capsule was used already, or the tensor cannot exist in memory, or it "
      "is not what\n    is required.");
  m.def("tensor_of_array", &FromOwnArray, nb::arg("array"),
        nb::sig("def tensor_of_array(array: object) -> object"));
  m.def("empty", &EmptyTensor, nb::arg("shape").none(), nb::arg("dtype").none() = "float32",
        nb::arg("device").none() = nb::none(),
        nb::sig("def empty(shape: int | object, dtype: object = "
                "\"float32\", device: object | "
                "None = None) -> object"),
        "Make a Tensor whose elements are not initialized, row-major.\n\n"
        "Raises\n------\n"
        "ValueError\n    An extent is negative, or there is no allocator for the device.\n"
        "MemoryError\n    There is not enough memory.");
}

}  // namespace tain::bindings
