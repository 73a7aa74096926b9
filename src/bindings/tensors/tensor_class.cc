// SPDX-License-Identifier: Apache-2.0
// The class tain.Tensor: attributes, and the protocols of sequences and numbers. What numpy does better (printing, assignment,
// conversion of elements) is in python/tain/_tensors.py.
#include "tensors/class_parts.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "objects/instance.h"
#include "tensors/array_import.h"
#include "tensors/numpy_make.h"
#include "tensors/tensor_receiver.h"
#include "values/device_dtype.h"

namespace tain::bindings {
namespace {

/// Calls a function of tain._tensors for a tensor.
template <class... Args>
PyObject* CallHelper(const char* name, PyObject* self, Args... args) {
  if (TensorOf(self) == nullptr) return nullptr;
  return CallPackage("tain._tensors", name, nb::handle(self), nb::handle(args)...);
}
PyObject* WrapMade(ObjectPtr<TensorObj> made) { return Wrap(internal::RefAccess::Release(made)); }

// ---------------------------------------------------------------- attributes

PyObject* TupleOf(const int64_t* numbers, int32_t count) {
  PyObject* made = PyTuple_New(count);
  for (int32_t i = 0; made != nullptr && i < count; ++i) {
    PyObject* number = PyLong_FromLongLong(numbers[i]);
    if (number == nullptr) {
      Py_DECREF(made);
      return nullptr;
    }
    PyTuple_SET_ITEM(made, i, number);
  }
  return made;
}

/// A getter that computes its value from the tensor.
template <PyObject* (*kGet)(const TensorObj&)>
PyObject* Attribute(PyObject* self, void*) {
  const TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  return Guarded<PyObject*>(nullptr, [&] { return kGet(*tensor); });
}

/// The same as a method without arguments.
template <PyObject* (*kGet)(const TensorObj&)>
PyObject* AttributeMethod(PyObject* self, PyObject*) {
  return Attribute<kGet>(self, nullptr);
}

PyObject* ShapeOf(const TensorObj& tensor) { return TupleOf(tensor.shape, tensor.ndim); }
PyObject* StridesOf(const TensorObj& tensor) { return TupleOf(tensor.strides, tensor.ndim); }
PyObject* NdimOf(const TensorObj& tensor) { return PyLong_FromLong(tensor.ndim); }
PyObject* SizeOf(const TensorObj& tensor) {
  return PyLong_FromLongLong(internal::NumElements(tensor));
}
PyObject* ItemSizeOf(const TensorObj& tensor) {
  return PyLong_FromLongLong(ItemSize(tensor.dtype));
}
PyObject* NbytesOf(const TensorObj& tensor) {
  const int bits = tensor.dtype.bits * tensor.dtype.lanes;
  const int64_t count = internal::NumElements(tensor);
  // Elements of less than a byte share bytes.
  return PyLong_FromLongLong(bits % 8 == 0 ? count * (bits / 8) : (count * bits + 7) / 8);
}
PyObject* DTypeOf(const TensorObj& tensor) { return DTypeObject(tensor.dtype).release().ptr(); }
PyObject* NumpyDTypeOf(const TensorObj& tensor) {
  return DTypeObject(tensor.dtype).attr("numpy")().release().ptr();
}
PyObject* DeviceOf(const TensorObj& tensor) { return DeviceObject(tensor.device).release().ptr(); }
PyObject* IsView(const TensorObj& tensor) {
  return PyBool_FromLong((FlagsOf(HeaderOf(tensor)) & kTainTensorIsView) != 0 ? 1 : 0);
}
PyObject* ReadOnly(const TensorObj& tensor) {
  return PyBool_FromLong((FlagsOf(HeaderOf(tensor)) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 ? 1 : 0);
}
PyObject* IsOnHost(const TensorObj& tensor) {
  return PyBool_FromLong(internal::IsHostMemory(tensor.device) ? 1 : 0);
}
PyObject* IsContiguous(const TensorObj& tensor) {
  return PyBool_FromLong(internal::IsDense(tensor, true) ? 1 : 0);
}
PyObject* AddressOf(const TensorObj& tensor) {
  return PyLong_FromVoidPtr(static_cast<char*>(tensor.data) + tensor.byte_offset);
}
/// A view with the last two dimensions exchanged.
PyObject* MatrixTransposed(const TensorObj& tensor) {
  if (tensor.ndim < 2) {
    TAIN_THROW(ValueError) << "Tensor.mT: expected at least 2 dimensions, got " << tensor.ndim;
  }
  std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
  std::vector<int64_t> strides(tensor.strides, tensor.strides + tensor.ndim);
  std::swap(shape.end()[-1], shape.end()[-2]);
  std::swap(strides.end()[-1], strides.end()[-2]);
  return WrapMade(internal::RestrideTensor(const_cast<TensorObj*>(&tensor), shape, strides, 0));
}
/// The transposed matrix, a view.
PyObject* Transposed(const TensorObj& tensor) {
  if (tensor.ndim != 2) {
    TAIN_THROW(ValueError) << "Tensor.T: expected 2 dimensions, got " << tensor.ndim;
  }
  return MatrixTransposed(tensor);
}

PyGetSetDef attributes[] = {
    {"shape", kLocked<&Attribute<&ShapeOf>>, nullptr, "The extents, a tuple of int.", nullptr},
    {"strides", kLocked<&Attribute<&StridesOf>>, nullptr,
     "The elements from one index to the next, a tuple of int. numpy's strides are in bytes.",
     nullptr},
    {"dtype", kLocked<&Attribute<&DTypeOf>>, nullptr, "The type of the elements, a tain.dtype.",
     nullptr},
    {"__numpy_dtype__", kLocked<&Attribute<&NumpyDTypeOf>>, nullptr,
     "The numpy.dtype of the elements, for numpy from version 2.4 on.", nullptr},
    {"device", kLocked<&Attribute<&DeviceOf>>, nullptr, "Where the memory is, a tain.Device.",
     nullptr},
    {"ndim", kLocked<&Attribute<&NdimOf>>, nullptr, "The number of dimensions.", nullptr},
    {"size", kLocked<&Attribute<&SizeOf>>, nullptr, "The number of elements.", nullptr},
    {"itemsize", kLocked<&Attribute<&ItemSizeOf>>, nullptr, "The bytes of one element.", nullptr},
    {"nbytes", kLocked<&Attribute<&NbytesOf>>, nullptr, "The bytes of all elements, without gaps.",
     nullptr},
    {"is_view", kLocked<&Attribute<&IsView>>, nullptr,
     "Whether the memory is lent by C++ for the length of a call.", nullptr},
    {"read_only", kLocked<&Attribute<&ReadOnly>>, nullptr,
     "Whether the elements must not be written.", nullptr},
    {"is_contiguous", kLocked<&Attribute<&IsContiguous>>, nullptr,
     "Whether the elements are row-major without gaps.", nullptr},
    {"_is_on_host", kLocked<&Attribute<&IsOnHost>>, nullptr,
     "Whether the processor can read the elements.", nullptr},
    {"T", kLocked<&Attribute<&Transposed>>, nullptr, "The transposed matrix, a view.", nullptr},
    {"mT", kLocked<&Attribute<&MatrixTransposed>>, nullptr,
     "A view with the last two dimensions exchanged: each matrix transposed.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---------------------------------------------------------------- methods

PyObject* Copy(PyObject* self, PyObject*) {
  const TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  return Guarded<PyObject*>(nullptr, [&] { return WrapMade(CopyOf(*tensor)); });
}

PyObject* DeepCopy(PyObject* self, PyObject* memo) {
  const Own copy(Copy(self, nullptr));
  if (!copy) return nullptr;
  const Own key(PyLong_FromVoidPtr(self));
  if (!key || PyObject_SetItem(memo, key.get(), copy.get()) != 0) return nullptr;
  return Py_NewRef(copy.get());
}

/// copyto(target): writes the elements to a tensor or array of the same shape and type.
PyObject* CopyTo(PyObject* self, PyObject* target) {
  TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    const ObjectPtr<TensorObj> source(tensor);  // the conversion may run Python code
    ObjectPtr<TensorObj> into;
    if (IsWrapper(target)) {
      TensorObj* found = TensorOf(target);
      if (found == nullptr) throw nb::python_error();
      into = ObjectPtr<TensorObj>(found);
    } else {
      std::string fault;
      into = TensorOfArray(target, &fault);
      if (into == nullptr) {
        TAIN_THROW(TypeError) << "Tensor.copyto(): expected a Tensor or a writable array, got "
                              << TypeName(target) << (fault.empty() ? "" : ": " + fault);
      }
    }
    if (internal::IsReadOnly(HeaderOf(*into))) {
      TAIN_THROW(ValueError) << "Tensor.copyto(): the target is read-only";
    }
    internal::CopyElements(*source, *into);
    return Py_NewRef(target);
  });
}

PyObject* Numpy(PyObject* self, PyObject*) {
  TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  if (!internal::IsHostMemory(tensor->device)) return CallHelper("as_numpy", self);
  return NewNumpyArray(HeaderOf(*tensor));
}
PyObject* Item(PyObject* self, PyObject*) { return CallHelper("item", self); }
PyObject* ToList(PyObject* self, PyObject*) { return CallHelper("tolist", self); }
PyObject* Complex(PyObject* self, PyObject*) { return CallHelper("as_complex", self); }
PyObject* ReduceEx(PyObject* self, PyObject* protocol) {
  return CallHelper("reduce", self, protocol);
}

/// A method whose arguments a helper reads.
PyObject* WithKeywords(const char* name, PyObject* self, PyObject* args, PyObject* kwargs) {
  if (TensorOf(self) == nullptr) return nullptr;
  return CallPackageWith(args, kwargs, "tain._tensors", name, nb::handle(self));
}
PyObject* Array(PyObject* self, PyObject* args, PyObject* kwargs) {
  return WithKeywords("array", self, args, kwargs);
}
PyObject* To(PyObject* self, PyObject* args, PyObject* kwargs) {
  return WithKeywords("to", self, args, kwargs);
}

/// _view(dtype): a view of the memory with elements of another type of the same size.
PyObject* ViewAs(PyObject* self, PyObject* dtype) {
  TensorObj* tensor = TensorOf(self);
  if (tensor == nullptr) return nullptr;
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    const ObjectPtr<TensorObj> held(tensor);  // the conversion may run Python code
    const nb::object type = DTypeClass()(nb::handle(dtype));
    DLTensor view = *tensor;
    view.dtype = nb::inst_ptr<DType>(type)->value;
    const int bits = view.dtype.bits * view.dtype.lanes;
    if (bits != tensor->dtype.bits * tensor->dtype.lanes || bits % 8 != 0) {
      const auto text = [](DLDataType named) {
        TainAny name{};
        internal::ThrowIfFailed(TainDataTypeToString(&named, &name));
        return Any::Steal(name).cast<std::string>();
      };
      TAIN_THROW(TypeError) << "Tensor: elements of " << text(tensor->dtype)
                            << " cannot be seen as " << text(view.dtype);
    }
    TainObject* made = nullptr;
    if (TainTensorCreateUnsafeView(HeaderOf(*tensor), &view, &made) != 0) {
      ThrowFromCore();
    }
    return Wrap(made);
  });
}

const PyMethodDef own_methods[] = {
    {"numpy", kLocked<&Numpy>, METH_NOARGS,
     "numpy($self, /)\n--\n\nA numpy.ndarray that shares the memory."},
    {"__array__", MethodPointer(kLocked<&Array>), METH_VARARGS | METH_KEYWORDS,
     "__array__($self, /, dtype=None, copy=None)\n--\n\nA numpy.ndarray."},
    {"numel", kLocked<&AttributeMethod<&SizeOf>>, METH_NOARGS,
     "numel($self, /)\n--\n\nThe number of elements, the same as size."},
    {"data_ptr", kLocked<&AttributeMethod<&AddressOf>>, METH_NOARGS,
     "data_ptr($self, /)\n--\n\nThe address of the first element."},
    {"copyto", kLocked<&CopyTo>, METH_O,
     "copyto($self, target, /)\n--\n\nWrites the elements to a Tensor or array of the same shape "
     "and type, and returns it."},
    {"item", kLocked<&Item>, METH_NOARGS,
     "item($self, /)\n--\n\nThe only element, as a Python number."},
    {"tolist", kLocked<&ToList>, METH_NOARGS,
     "tolist($self, /)\n--\n\nThe elements as nested lists."},
    {"to", MethodPointer(kLocked<&To>), METH_VARARGS | METH_KEYWORDS,
     "to($self, device, /, *, copy=None)\n--\n\nThe tensor on a device."},
    {"__complex__", kLocked<&Complex>, METH_NOARGS,
     "__complex__($self, /)\n--\n\nThe only element."},
    {"__copy__", kLocked<&Copy>, METH_NOARGS, "__copy__($self, /)\n--\n\nA copy of the elements."},
    {"__deepcopy__", kLocked<&DeepCopy>, METH_O,
     "__deepcopy__($self, memo, /)\n--\n\nA copy of the elements."},
    {"__reduce_ex__", kLocked<&ReduceEx>, METH_O,
     "__reduce_ex__($self, protocol, /)\n--\n\nPickle."},
    {"_view", kLocked<&ViewAs>, METH_O,
     "_view($self, dtype, /)\n--\n\nThe elements as those of a type of the same size."}};

// ---------------------------------------------------------------- slots

int SetItem(PyObject* self, PyObject* key, PyObject* value) {
  if (TensorOf(self) == nullptr) return -1;
  if (value == nullptr) {
    PyErr_SetString(PyExc_TypeError, "the elements of a Tensor cannot be deleted");
    return -1;
  }
  const Own done(CallHelper("assign", self, key, value));
  return done ? 0 : -1;
}

/// Sequence protocol, for iteration.
PyObject* ItemAt(PyObject* self, Py_ssize_t index) {
  const Own key(PyLong_FromSsize_t(index));
  return key ? TensorGetItem(self, key.get()) : nullptr;
}

PyObject* Iterate(PyObject* self) {
  if (TensorLength(self) < 0) return nullptr;
  return PySeqIter_New(self);
}

/// Converts the only element.
template <PyObject* (*kConvert)(PyObject*)>
PyObject* Number(PyObject* self) {
  const Own item(Item(self, nullptr));
  return item ? kConvert(item.get()) : nullptr;
}

PyObject* Index(PyObject* self) { return CallHelper("index", self); }

int Truth(PyObject* self) {
  const Own item(Item(self, nullptr));
  return item ? PyObject_IsTrue(item.get()) : -1;
}

PyObject* Repr(PyObject* self) {
  if (ObjectOrNull(self) == nullptr) {
    return PyUnicode_FromFormat("<empty %s object>", TypeName(self));
  }
  return CallHelper("show", self);
}

}  // namespace

void AddTensorSlots(int32_t type_index, std::vector<PyType_Slot>* slots) {
  if (type_index != kTainTensor) return;
  auto* methods = new std::vector<PyMethodDef>(std::begin(own_methods), std::end(own_methods));
  AddExportMembers(slots, methods);
  AddMathMembers(slots, methods);
  methods->push_back({nullptr, nullptr, 0, nullptr});
  SetSlots(
      slots,
      {Slot(Py_tp_methods, methods->data()), Slot(Py_tp_getset, attributes),
       Slot(Py_tp_doc,
            const_cast<char*>(
                "An array of any number of dimensions, in C++ tain::Tensor.\n\n"
                "tain.from_dlpack shares the memory of an array, tain.tensor copies numbers, "
                "tain.empty makes new memory. numpy.asarray(t) and torch.from_dlpack(t) share "
                "the memory of a Tensor.")),
       Slot(Py_tp_repr, kLocked<&Repr>), Slot(Py_tp_iter, kLocked<&Iterate>),
       Slot(Py_mp_length, kLocked<&TensorLength>), Slot(Py_mp_subscript, kLocked<&TensorGetItem>),
       Slot(Py_mp_ass_subscript, kLocked<&SetItem>), Slot(Py_sq_item, kLocked<&ItemAt>),
       Slot(Py_sq_length, kLocked<&TensorLength>), Slot(Py_nb_bool, kLocked<&Truth>),
       Slot(Py_nb_int, kLocked<&Number<&PyNumber_Long>>),
       Slot(Py_nb_float, kLocked<&Number<&PyNumber_Float>>), Slot(Py_nb_index, kLocked<&Index>)});
}

}  // namespace tain::bindings
