// SPDX-License-Identifier: Apache-2.0
// The buffer protocol of an Array of numbers, and the conversion of other Arrays to numpy.
//
// An element has 16 bytes, and its last 8 bytes are the number, so the memory is strided. An export
// holds a reference to the object, so code that changes the object copies it first.
#include "containers/class_parts.h"

#include <bit>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "containers/iter.h"
#include "objects/in_flight.h"
#include "values/container_access.h"

namespace tain::bindings {
namespace {

bool IsArray(int32_t index) noexcept { return index == kTainArray; }

/// The data of one export.
struct Export {
  TainObject* array;  ///< owned
  Py_ssize_t shape;
  Py_ssize_t stride;
  LastingUse in_use;
};

struct Format {
  const char* code;  ///< of the module struct; null if the elements are not numbers of one type
  Py_ssize_t size;
};

Format FormatOf(const TainObject* array) noexcept {
  const int64_t size = internal::SeqSize(array);
  const TainAny* data = internal::SeqData(array);
  for (int64_t i = 1; i < size; ++i) {
    if (data[i].type_index != data[0].type_index) return {nullptr, 0};
  }
  switch (size == 0 ? kTainNone : data[0].type_index) {
    case kTainInt: return {"q", 8};
    case kTainFloat: return {"d", 8};
    case kTainBool:
      // A bool is stored as a word of 0 or 1.
      return {std::endian::native == std::endian::little ? "?" : nullptr, 1};
    default: return {nullptr, 0};
  }
}

int GetBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  TainObject* array = ContainerOf<&IsArray>(self);
  if (array == nullptr) {
    SetReceiverError(self, "Array");
    return -1;
  }
  const Format format = FormatOf(array);
  const int64_t size = internal::SeqSize(array);
  if (format.code == nullptr) {
    return RefuseBuffer("an Array is a buffer only if all its elements are ints, floats or bools");
  }
  if ((flags & PyBUF_WRITABLE) != 0) return RefuseBuffer("an Array is read-only");
  const int contiguous = PyBUF_C_CONTIGUOUS | PyBUF_F_CONTIGUOUS | PyBUF_ANY_CONTIGUOUS;
  const bool strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
  if (size > 1 && (!strided || (flags & contiguous & ~PyBUF_STRIDES) != 0)) {
    return RefuseBuffer("the elements of an Array are not contiguous");
  }
  if ((flags & PyBUF_FORMAT) != 0 && (flags & PyBUF_ND) == 0) {
    return RefuseBuffer("a format was asked for, but no shape: then the elements are bytes");
  }
  auto* made = static_cast<Export*>(PyMem_Malloc(sizeof(Export)));
  if (made == nullptr) {
    PyErr_NoMemory();
    return -1;
  }
  internal::IncRef(array);
  ::new (made) Export{array, static_cast<Py_ssize_t>(size), sizeof(TainAny), LastingUse(array)};
  view->internal = made;
  view->buf = const_cast<int64_t*>(&internal::SeqData(array)->v_int64);  // read-only
  view->len = static_cast<Py_ssize_t>(size) * format.size;
  view->readonly = 1;
  view->itemsize = format.size;
  view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format.code) : nullptr;
  view->ndim = 1;
  view->shape = (flags & PyBUF_ND) != 0 ? &made->shape : nullptr;
  view->strides = strided ? &made->stride : nullptr;
  view->suboffsets = nullptr;
  view->obj = Py_NewRef(self);
  return 0;
}

void ReleaseBuffer(PyObject*, Py_buffer* view) {
  auto* made = static_cast<Export*>(view->internal);
  internal::DecRef(made->array);
  made->~Export();
  PyMem_Free(made);
}

/// numpy has arrays of at most 64 dimensions, earlier releases of 32.
constexpr size_t kMaxDimensions = 32;

/// Whether all elements are numbers in nested sequences of equal lengths; `shape` gets the lengths.
bool IsRegular(const TainAny& value, size_t depth, bool* is_leaf_seen,
               std::vector<int64_t>* shape) {
  if (internal::IsSeq(value.type_index)) {
    const int64_t size = internal::SeqSize(value.v_obj);
    if (depth == kMaxDimensions) return false;
    if (depth == shape->size() && !*is_leaf_seen) {
      shape->push_back(size);
    } else if (depth >= shape->size() || (*shape)[depth] != size) {
      return false;
    }
    for (int64_t i = 0; i < size; ++i) {
      if (!IsRegular(internal::SeqData(value.v_obj)[i], depth + 1, is_leaf_seen, shape)) {
        return false;
      }
    }
    return true;
  }
  const bool is_number = value.type_index == kTainInt || value.type_index == kTainFloat ||
                         value.type_index == kTainBool;
  *is_leaf_seen = true;
  return is_number && depth == shape->size();
}

/// Returns regular nested sequences of numbers as lists. No code of the user's runs.
nb::object NestedLists(const TainAny& value) {
  if (!internal::IsSeq(value.type_index)) return Checked(ElementToPython(value));
  nb::list made = NewList();
  for (int64_t i = 0; i < internal::SeqSize(value.v_obj); ++i) {
    made.append(NestedLists(internal::SeqData(value.v_obj)[i]));
  }
  return made;
}

/// Returns a numpy array of numbers, of as many dimensions as the Arrays are nested; invalid if
/// they are not all numbers in sequences of equal lengths. float64 if there are no elements.
nb::object NumbersToNumpy(TainObject* array, const nb::object& dtype) {
  const TainAny value = internal::ViewOfObject(array);
  bool is_leaf_seen = false;
  std::vector<int64_t> shape;
  if (!IsRegular(value, 0, &is_leaf_seen, &shape)) return {};
  const nb::module_ numpy = nb::module_::import_("numpy");
  const bool choose = dtype.is_none() && !is_leaf_seen;
  return numpy.attr("array")(NestedLists(value), choose ? numpy.attr("float64") : dtype);
}

/// __array__(dtype=None, copy=None): makes a numpy array of numbers, or else of objects. Numpy calls
/// it only if the buffer protocol failed, so numpy is imported.
PyObject* ToNumpy(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return nullptr;
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    nb::object dtype = nb::none();
    if (nargs > 0) dtype = nb::borrow(args[0]);
    const Py_ssize_t named = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
    for (Py_ssize_t i = 0; i < named; ++i) {
      const nb::handle value(args[nargs + i]);
      if (IsText(PyTuple_GET_ITEM(kwnames, i), "dtype")) {
        dtype = nb::borrow(value);
      } else if (value.ptr() == Py_False) {
        return PyErr_Format(PyExc_ValueError,
                            "an Array of other values than numbers of one type must be copied");
      }
    }
    nb::object numbers = NumbersToNumpy(seq, dtype);
    if (numbers.is_valid()) return numbers.release().ptr();
    const nb::handle object_type(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
    const nb::object array =
        nb::module_::import_("numpy").attr("empty")(nb::len(self), object_type);
    const nb::object items = nb::steal(NewSeqIter(self, false));
    Py_ssize_t at = 0;
    for (const nb::handle item : items) {
      if (PySequence_SetItem(array.ptr(), at++, item.ptr()) != 0) throw nb::python_error();
    }
    nb::object made = dtype.is_none() ? array : nb::object(array.attr("astype")(dtype));
    return made.release().ptr();
  });
}

/// bytes(array) has the same result as bytes(list); it does not copy the memory of the buffer.
PyObject* ToBytes(PyObject* self, PyObject*) {
  if (SeqReceiver(self) == nullptr) return nullptr;
  const Own items(PySequence_List(self));
  return items ? PyBytes_FromObject(items.get()) : nullptr;
}

}  // namespace

void AddBufferMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods) {
  SetSlots(slots, {Slot(Py_bf_getbuffer, kLocked<&GetBuffer>),
                   Slot(Py_bf_releasebuffer, kLocked<&ReleaseBuffer>)});
  methods->insert(
      methods->end(),
      {{"__bytes__", kLocked<&ToBytes>, METH_NOARGS,
        "__bytes__($self, /)\n--\n\nThe elements, which must be ints in 0..255, as bytes."},
       {"__array__", MethodPointer(kLocked<&ToNumpy>), METH_FASTCALL | METH_KEYWORDS,
        "__array__($self, dtype=None, copy=None)\n--\n\n"
        "A numpy array of numbers, with a dimension for each level of Arrays of equal "
        "lengths; else one of objects. An Array of numbers of one type is a buffer "
        "and needs no copy."}});
}

}  // namespace tain::bindings
