// SPDX-License-Identifier: Apache-2.0
// Reads numpy's arrays in memory; see numpy_array.h.
#include "tensors/numpy_array.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/gil.h"
#include "base/release_queue.h"
#include "tain/tensor.h"
#include "tensors/state.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

/// The beginning of numpy's PyArray_Descr.
struct NumpyDescr {
  PyObject ob_base;
  PyTypeObject* typeobj;  ///< the class of its scalars
  char kind;
  char type;
  char byteorder;  ///< '=' native, '|' does not matter
  char former_flags;
  int type_num;
};

/// numpy's PyArrayObject_fields.
struct NumpyArray {
  PyObject ob_base;
  char* data;
  int nd;
  Py_ssize_t* dimensions;
  Py_ssize_t* strides;  ///< in bytes
  PyObject* base;
  NumpyDescr* descr;
  int flags;
  PyObject* weakreflist;
};

/// How a dtype names the order of this machine, if it does not say '='.
constexpr char kOwnOrder = std::endian::native == std::endian::little ? '<' : '>';
constexpr int kLastOwnType = 23;  ///< numbers above it are types of other packages

/// The data types of numpy's numbers, by type_num; bits 0 for types without a counterpart.
constexpr DLDataType kTypes[kLastOwnType + 1] = {{kDLBool, 8, 1},
                                                 {kDLInt, 8, 1},
                                                 {kDLUInt, 8, 1},
                                                 {kDLInt, 16, 1},
                                                 {kDLUInt, 16, 1},
                                                 {kDLInt, 32, 1},
                                                 {kDLUInt, 32, 1},
                                                 {kDLInt, sizeof(long) * 8, 1},
                                                 {kDLUInt, sizeof(long) * 8, 1},
                                                 {kDLInt, 64, 1},
                                                 {kDLUInt, 64, 1},
                                                 {kDLFloat, 32, 1},
                                                 {kDLFloat, 64, 1},
                                                 {},  // long double has padding
                                                 {kDLComplex, 64, 1},
                                                 {kDLComplex, 128, 1},
                                                 {},  // complex long double
                                                 {},  // object
                                                 {},  // bytes
                                                 {},  // str
                                                 {},  // structured
                                                 {},  // datetime64
                                                 {},  // timedelta64
                                                 {kDLFloat, 16, 1}};

/// Returns the type of a class of scalars of ml_dtypes. Its int4 and float4 take a byte for each
/// element, which is not how tensors have them.
DLDataType MlDType(const NumpyDescr* descr) {
  const std::string_view name = descr->typeobj->tp_name;
  const std::string_view bare = name.substr(name.rfind('.') + 1);
  if (bare != "bfloat16" && bare.rfind("float8_", 0) != 0) return {};
  const TainByteArray text{bare.data(), bare.size()};
  DLDataType dtype{};
  if (TainDataTypeFromString(&text, &dtype) == 0) return dtype;
  DropCoreError();
  return {};
}

bool TypeOf(const NumpyArray* array, DLDataType* out, const char** why) {
  const NumpyDescr* descr = array->descr;
  if (TAIN_UNLIKELY(descr->byteorder != '=' && descr->byteorder != '|' &&
                    descr->byteorder != kOwnOrder)) {
    if (why != nullptr) *why = "its byte order is not that of this machine";
    return false;
  }
  const auto number = static_cast<unsigned>(descr->type_num);
  *out = TAIN_LIKELY(number <= kLastOwnType) ? kTypes[number] : MlDType(descr);
  if (TAIN_LIKELY(out->bits != 0)) return true;
  if (why != nullptr) *why = "a tensor cannot have such elements";
  return false;
}

/// Drops the array and the weak reference to it.
void ReleaseArray(TainTensorTail* tail) {
  auto* weak = static_cast<PyObject*>(tail->owner);
  auto* array = static_cast<PyObject*>(tail->array);
  if (TAIN_LIKELY(HoldsGil())) {
    Py_DECREF(weak);
    Py_DECREF(array);
  } else {
    ReleasePython(weak);
    ReleasePython(array);
  }
}

/// Completes a Tensor with extents and strides: it shares the memory of an array.
[[gnu::always_inline]] inline TainObject* Share(PyObject* object, DLDataType dtype,
                                                ObjectPtr<TensorObj> made) {
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  made->data = array->data;
  made->device = {kDLCPU, 0};
  made->dtype = dtype;
  // While a weak reference exists, numpy does not move the memory of the array in resize().
  PyObject* weak = PyWeakref_NewRef(object, nullptr);
  if (weak == nullptr) throw nb::python_error();
  made->tail = {(array->flags & kNumpyIsWritable) != 0 ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY, weak,
                Py_NewRef(object), &ReleaseArray};
  return internal::RefAccess::Release(made);
}

/// Compares what the struct says with what numpy says.
bool LayoutIsKnown(const CoreModule& numpy) {
  const nb::object array =
      numpy.attr("ones")(nb::make_tuple(2, 3), numpy.attr("float32")).attr("T");
  const auto* fields = reinterpret_cast<const NumpyArray*>(array.ptr());
  if (nb::cast<size_t>(array.type().attr("__basicsize__")) < sizeof(NumpyArray)) return false;
  const nb::object facts = array.attr("__array_interface__");
  const nb::object strides = array.attr("strides"), dtype = array.attr("dtype");
  const nb::object data = facts["data"];
  return fields->data == reinterpret_cast<char*>(nb::cast<uintptr_t>(nb::object(data[0]))) &&
         fields->nd == 2 && fields->dimensions[0] == 3 && fields->dimensions[1] == 2 &&
         fields->strides[0] == nb::cast<Py_ssize_t>(nb::object(strides[0])) &&
         fields->strides[1] == nb::cast<Py_ssize_t>(nb::object(strides[1])) &&
         reinterpret_cast<PyObject*>(fields->descr) == dtype.ptr() &&
         fields->descr->type_num == nb::cast<int>(dtype.attr("num")) &&
         fields->descr->byteorder == '=' && (fields->flags & kNumpyIsWritable) != 0 &&
         fields->base != nullptr && fields->weakreflist == nullptr;
}

/// Remembers numpy.ndarray if `object` is one.
TAIN_COLD void LearnNumpy(PyObject* object) {
  if (std::strcmp(TypeName(object), "numpy.ndarray") != 0) return;
  GetTensorsState().knows_ndarray = true;
  try {
    const nb::module_ numpy = nb::module_::import_("numpy");
    const nb::object type = numpy.attr("ndarray");
    if (type.ptr() != reinterpret_cast<PyObject*>(Py_TYPE(object)) || !LayoutIsKnown(numpy)) return;
    GetValuesState().ndarray_type =
        reinterpret_cast<PyTypeObject*>(nb::object(type).release().ptr());
  } catch (nb::python_error&) {
    // DLPack is used.
  }
}

}  // namespace

bool IsNumpyArray(PyObject* object) noexcept {
  if (TAIN_UNLIKELY(!GetTensorsState().knows_ndarray)) LearnNumpy(object);
  return Py_TYPE(object) == GetValuesState().ndarray_type;
}

TainObject* TensorFromNumpy(PyObject* object, const char** why) {
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  DLDataType dtype;
  if (!TypeOf(array, &dtype, why)) return nullptr;
  const int64_t item = dtype.bits / 8;  // a power of two, at most 16
  const int shift = std::countr_zero(static_cast<uint64_t>(item));
  ObjectPtr<TensorObj> made = internal::NewTensor(array->nd);
  for (int i = 0; i < array->nd; ++i) {
    const int64_t stride = array->strides[i];
    made->shape[i] = array->dimensions[i];
    made->strides[i] = stride >> shift;
    if (TAIN_UNLIKELY((stride & (item - 1)) != 0 && array->dimensions[i] > 1)) {
      if (why != nullptr) *why = "its strides are no multiples of the size of an element";
      return nullptr;
    }
  }
  return Share(object, dtype, std::move(made));
}

TainObject* TensorFromStructs(PyObject* object, int64_t size) {
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  ObjectPtr<TensorObj> made = internal::NewTensor(array->nd);
  for (int i = 0; i < array->nd; ++i) {
    made->shape[i] = array->dimensions[i];
    made->strides[i] = array->strides[i] / size;
  }
  return Share(object, {kDLOpaqueHandle, 8, static_cast<uint16_t>(size)}, std::move(made));
}

int NumpyTypeNumber(DLDataType dtype) noexcept {
  const auto* const found = std::find(std::begin(kTypes), std::end(kTypes), dtype);
  return found == std::end(kTypes) || dtype.bits == 0
             ? -1
             : static_cast<int>(found - std::begin(kTypes));
}

bool IsStillNumpy(PyObject* object, const DLTensor& tensor) noexcept {
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  DLDataType dtype;
  if (!TypeOf(array, &dtype, nullptr) || !(dtype == tensor.dtype) || array->nd != tensor.ndim ||
      array->data != tensor.data) {
    return false;
  }
  const int shift = std::countr_zero(static_cast<uint64_t>(dtype.bits / 8));
  for (int i = 0; i < array->nd; ++i) {
    if (array->dimensions[i] != tensor.shape[i] ||
        array->strides[i] >> shift != tensor.strides[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace tain::bindings
