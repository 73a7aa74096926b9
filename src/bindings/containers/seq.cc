// SPDX-License-Identifier: Apache-2.0
// The common slots and methods of Array, List and Shape; see seq.h.
#include "containers/seq.h"

#include "base/bridge_lock.h"
#include "base/given_text.h"
#include "containers/class_parts.h"
#include "containers/compare.h"
#include "containers/iter.h"
#include "values/container_access.h"
#include "values/container_convert.h"

namespace tain::bindings {
namespace {

/// Returns a new sequence of the same type with `count` elements of another one, that at `place_of(i)`
/// for the element i; runs no Python code.
template <class F>
TainObject* SeqOf(const TainObject* seq, int64_t count, F&& place_of) {
  if (seq->type_index == kTainShape) {
    std::vector<int64_t> extents;
    extents.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) extents.push_back(ShapeCellOf(seq)->data[place_of(i)]);
    return internal::ShapeNew(extents.data(), extents.size());
  }
  TainObject* made = internal::SeqNew(seq->type_index, count);
  TainSeqCell* cell = internal::SeqCellOf(made);
  const TainAny* from = internal::SeqData(seq);
  auto* to = static_cast<TainAny*>(cell->data);
  for (int64_t i = 0; i < count; ++i) {
    to[i] = from[place_of(i)];
    if (to[i].type_index >= kTainStaticObjectBegin) internal::IncRef(to[i].v_obj);
  }
  cell->size = count;
  return made;
}

PyObject* SubscriptSlice(PyObject* self, PyObject* slice) noexcept {
  SliceRange range;
  if (!ReadSlice(slice, &range)) return nullptr;
  const TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return nullptr;
  AdjustSlice(LengthOf(seq), &range);
  const auto place_of = [&](int64_t i) { return range.start + i * range.step; };
  return WrapMade([&] { return OfSameType(seq, SeqOf(seq, range.count, place_of)); });
}

PyObject* ItemAt(const TainObject* seq, Py_ssize_t index) noexcept {
  const int64_t length = LengthOf(seq);
  const Py_ssize_t at = index < 0 ? index + length : index;
  if (TAIN_UNLIKELY(static_cast<uint64_t>(at) >= static_cast<uint64_t>(length))) {
    SetIndexError(seq, index);
    return nullptr;
  }
  return ItemOf(seq, at);
}

PyObject* Subscript(PyObject* self, PyObject* key) {
  int64_t small;
  Py_ssize_t index;
  if (TAIN_LIKELY(Py_TYPE(key) == &PyLong_Type && CompactInt(key, &small))) {
    index = small;
  } else if (PySlice_Check(key)) {
    return SubscriptSlice(self, key);
  } else if (!PyIndex_Check(key)) {
    const TainObject* seq = SeqReceiver(self);
    if (seq != nullptr) SetKeyTypeError(seq, key);
    return nullptr;
  } else if (!ReadIndex(key, &index)) {
    return nullptr;
  }
  const TainObject* seq = SeqReceiver(self);
  return seq == nullptr ? nullptr : ItemAt(seq, index);
}

/// sq_item. CPython has already added the length to a negative index.
PyObject* Item(PyObject* self, Py_ssize_t index) {
  const TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return nullptr;
  if (index < 0) {
    SetIndexError(seq, index);
    return nullptr;
  }
  return ItemAt(seq, index);
}

PyObject* Iter(PyObject* self) { return NewSeqIter(self, false); }
PyObject* Reversed(PyObject* self, PyObject*) { return NewSeqIter(self, true); }

bool CanConcat(PyObject* object) noexcept {
  return PyList_Check(object) || PyTuple_Check(object) || ContainerOf<&IsAnySeq>(object) != nullptr;
}

/// nb_add: makes a sequence of the type of the left operand, or of the right operand if the left
/// one is a Python object.
PyObject* Add(PyObject* left, PyObject* right) {
  if (!CanConcat(left) || !CanConcat(right)) Py_RETURN_NOTIMPLEMENTED;
  const TainObject* kind = ContainerOf<&IsAnySeq>(left);
  if (kind == nullptr) kind = ContainerOf<&IsAnySeq>(right);
  if (kind == nullptr) Py_RETURN_NOTIMPLEMENTED;
  const int32_t type_index = kind->type_index;
  const int32_t work_index = type_index == kTainShape ? kTainArray : type_index;
  Held made = StealHeld(SeqFromIterable(left, work_index));
  if (made) OfSameType(kind, HeaderOf(made));
  if (!made || !ExtendSeq(HeaderOf(made), right)) return nullptr;
  if (type_index != kTainShape) return Wrap(ReleaseHeld(made));
  const Own extents(Wrap(ReleaseHeld(made)));
  TainObject* shape = extents ? ShapeFromIterable(extents.get()) : nullptr;
  return shape == nullptr ? nullptr : Wrap(shape);
}

PyObject* Repeat(PyObject* self, Py_ssize_t times) {
  const TainObject* seq = SeqReceiver(self);
  TainObject* made = seq == nullptr ? nullptr : RepeatSeq(seq, times);
  return made == nullptr ? nullptr : Wrap(OfSameType(seq, made));
}

}  // namespace

bool ReadSlice(PyObject* slice, SliceRange* out) noexcept {
  return PySlice_Unpack(slice, &out->start, &out->stop, &out->step) == 0;
}

void AdjustSlice(int64_t length, SliceRange* range) noexcept {
  range->count = PySlice_AdjustIndices(length, &range->start, &range->stop, range->step);
}

bool ReadIndex(PyObject* object, Py_ssize_t* out) noexcept {
  *out = PyNumber_AsSsize_t(object, PyExc_IndexError);
  return *out != -1 || !PyErr_Occurred();
}

void SetIndexError(const TainObject* seq, Py_ssize_t index) noexcept {
  PyErr_Format(PyExc_IndexError, "%s index %zd out of range for size %zd",
               ContainerName(seq->type_index), index, static_cast<Py_ssize_t>(LengthOf(seq)));
}

void SetKeyTypeError(const TainObject* seq, PyObject* key) noexcept {
  SetGivenError(PyExc_TypeError,
                std::string(ContainerName(seq->type_index)) + " index: expected int or slice", key);
}

Py_ssize_t SeqLength(PyObject* self) {
  const TainObject* seq = SeqReceiver(self);
  return seq == nullptr ? -1 : static_cast<Py_ssize_t>(LengthOf(seq));
}

TainObject* RepeatSeq(const TainObject* seq, Py_ssize_t times) noexcept {
  const int64_t length = LengthOf(seq);
  if (times < 0 || length == 0) times = 0;
  if (times > 0 && length > PY_SSIZE_T_MAX / 16 / times) {
    PyErr_NoMemory();
    return nullptr;
  }
  return Guarded<TainObject*>(nullptr, [&] {
    return SeqOf(seq, length * times, [length](int64_t i) { return i % length; });
  });
}

void AddSeqMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods) {
  SetSlots(slots,
           {Slot(Py_tp_hash, kLocked<&SeqHash>), Slot(Py_sq_length, kLocked<&SeqLength>),
            Slot(Py_mp_length, kLocked<&SeqLength>), Slot(Py_sq_item, kLocked<&Item>),
            Slot(Py_mp_subscript, kLocked<&Subscript>), Slot(Py_sq_contains, kLocked<&SeqContains>),
            Slot(Py_sq_repeat, kLocked<&Repeat>), Slot(Py_nb_add, kLocked<&Add>),
            Slot(Py_tp_iter, kLocked<&Iter>), Slot(Py_tp_richcompare, kLocked<&SeqRichCompare>)});
  methods->insert(
      methods->end(),
      {{"index", MethodPointer(kLocked<&SeqIndex>), METH_FASTCALL,
        "index($self, value, start=0, stop=sys.maxsize, /)\n--\n\n"
        "Index of the first element that equals a value.\n\n"
        "Raises\n------\nValueError\n    If there is none."},
       {"count", kLocked<&SeqCount>, METH_O,
        "count($self, value, /)\n--\n\nNumber of elements that equal a value."},
       {"__reversed__", kLocked<&Reversed>, METH_NOARGS,
        "__reversed__($self, /)\n--\n\nAn iterator over the elements in reverse order."},
       {"__class_getitem__", &Py_GenericAlias, METH_O | METH_CLASS,
        "__class_getitem__($type, item, /)\n--\n\nSupports annotations such as `Array[int]`."}});
}

}  // namespace tain::bindings
