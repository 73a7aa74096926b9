// SPDX-License-Identifier: Apache-2.0
// The methods of List that change it, as those of Python's list.
//
// Elements that are removed from a List are dropped after the List is consistent again, because
// dropping an element may run __del__, which may use the List.
#include "containers/class_parts.h"

#include <algorithm>

#include "base/bridge_lock.h"
#include "containers/compare.h"
#include "containers/seq.h"
#include "containers/taken.h"
#include "tain/internal/container_version.h"
#include "values/container_convert.h"
#include "values/declared.h"

namespace tain::bindings {
namespace {

constexpr int kMaxRestarts = 1000;  // of a search whose comparisons change the list

TainAny* ElementsOf(TainObject* list) noexcept {
  return static_cast<TainAny*>(internal::SeqCellOf(list)->data);
}

/// Returns None, or null if the guarded change failed.
PyObject* NoneIf(bool good) noexcept { return good ? Py_NewRef(Py_None) : nullptr; }

/// Reads the index argument of a method. Unlike in `list[index]`, an index that does not fit into
/// Py_ssize_t is an OverflowError.
bool ReadPosition(PyObject* object, Py_ssize_t* out) noexcept {
  const Own number(PyNumber_Index(object));
  *out = number ? PyLong_AsSsize_t(number.get()) : -1;
  return *out != -1 || !PyErr_Occurred();
}

/// Reads a value that the List takes. The conversion may run code that changes the List.
bool ReadElement(PyObject* self, PyObject* object, Any* value) noexcept {
  if (!AnyFromPython(object, value)) return false;
  TainObject* list = ListReceiver(self);
  if (list == nullptr || TakesAnything(list)) return list != nullptr;
  const Held held = Hold(list);
  return Succeeds([&] { StoreAsDeclared(list, ElementRole::kItem, "", value); });
}

PyObject* Append(PyObject* self, PyObject* object) {
  Any value;
  if (!ReadElement(self, object, &value)) return nullptr;
  TainObject* list = ListReceiver(self);
  return NoneIf(list != nullptr && Succeeds([&] { internal::SeqPush(list, std::move(value)); }));
}

PyObject* Extend(PyObject* self, PyObject* iterable) {
  TainObject* list = ListReceiver(self);
  return NoneIf(list != nullptr && ExtendSeq(list, iterable));
}

PyObject* Insert(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  if (!CheckCount("insert", nargs, 2, 2)) return nullptr;
  Py_ssize_t index;
  Any value;
  if (!ReadPosition(args[0], &index) || !ReadElement(self, args[1], &value)) return nullptr;
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return nullptr;
  const auto size = static_cast<Py_ssize_t>(LengthOf(list));
  if (index < 0) index = std::max<Py_ssize_t>(index + size, 0);
  index = std::min(index, size);
  return NoneIf(Succeeds([&] { internal::SeqInsert(list, index, std::move(value)); }));
}

/// Removes an existing element from the list.
bool Take(TainObject* list, int64_t index, Any* out) noexcept {
  return Succeeds([&] { *out = internal::SeqTake(list, index); });
}

PyObject* Pop(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  if (!CheckCount("pop", nargs, 0, 1)) return nullptr;
  Py_ssize_t index = -1;
  if (nargs == 1 && !ReadPosition(args[0], &index)) return nullptr;
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return nullptr;
  const auto size = static_cast<Py_ssize_t>(LengthOf(list));
  if (size == 0) return PyErr_Format(PyExc_IndexError, "pop from empty List");
  const Py_ssize_t at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) return PyErr_Format(PyExc_IndexError, "pop index out of range");
  const Held held = Hold(list);
  Any value;
  if (!Take(list, at, &value)) return nullptr;
  return TakenToPython(self, ElementRole::kItem, std::move(value), [&](Any taken) {
    internal::SeqInsert(list, std::min<int64_t>(at, LengthOf(list)), std::move(taken));
  });
}

PyObject* Remove(PyObject* self, PyObject* value) {
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return nullptr;
  const Held held = Hold(list);
  for (int restarts = 0; restarts < kMaxRestarts; ++restarts) {
    Any equal;
    const int64_t found = FindInSeq(list, value, 0, PY_SSIZE_T_MAX, &equal);
    if (found == -2) return nullptr;
    if (found < 0) return PyErr_Format(PyExc_ValueError, "%R is not in List", value);
    // The comparison may have changed the list. Remove only the element that was found equal.
    if (found >= LengthOf(list) || !internal::IsSameValue(ElementsOf(list)[found], equal.data())) {
      continue;
    }
    Any removed;
    return NoneIf(Take(list, found, &removed));
  }
  return PyErr_Format(PyExc_RuntimeError, "List.remove(): every comparison changed the List");
}

PyObject* ClearAll(PyObject* self, PyObject*) {
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return nullptr;
  internal::SeqClear(list);
  Py_RETURN_NONE;
}

PyObject* Reverse(PyObject* self, PyObject*) {
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return nullptr;
  internal::CountChange(list);
  std::reverse(ElementsOf(list), ElementsOf(list) + LengthOf(list));
  Py_RETURN_NONE;
}

PyObject* Copy(PyObject* self, PyObject*) { return CopyMutable(ListReceiver(self)); }

// ---------------------------------------------------------------- items and slices

int AssignIndex(PyObject* self, Py_ssize_t index, PyObject* object) noexcept {
  Any value;
  if (object != nullptr && !ReadElement(self, object, &value)) return -1;
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return -1;
  const int64_t size = LengthOf(list);
  const Py_ssize_t at = index < 0 ? index + size : index;
  if (static_cast<uint64_t>(at) >= static_cast<uint64_t>(size)) {
    SetIndexError(list, index);
    return -1;
  }
  if (object == nullptr) return Take(list, at, &value) ? 0 : -1;
  internal::CountChange(list);
  TainAny& place = ElementsOf(list)[at];
  const Any old = Any::Steal(place);
  place = value.Release();
  return 0;
}

/// Replaces the elements of a slice with a step by the same number of others.
int AssignExtended(TainObject* list, const SliceRange& range, const TainObject* values) {
  if (LengthOf(values) != range.count) {
    PyErr_Format(PyExc_ValueError,
                 "attempt to assign sequence of size %zd to extended slice of size %zd",
                 static_cast<Py_ssize_t>(LengthOf(values)), range.count);
    return -1;
  }
  std::vector<Any> moving;  // the new elements, later the removed ones
  moving.reserve(static_cast<size_t>(range.count));
  for (Py_ssize_t i = 0; i < range.count; ++i) {
    moving.emplace_back(AnyView(internal::SeqData(values)[i]));
  }
  internal::CountChange(list);
  for (Py_ssize_t i = 0; i < range.count; ++i) {
    TainAny& place = ElementsOf(list)[range.start + i * range.step];
    Any old = Any::Steal(place);
    place = moving[static_cast<size_t>(i)].Release();
    moving[static_cast<size_t>(i)].swap(old);
  }
  return 0;
}

/// Removes the elements of a slice with a step.
int DeleteExtended(TainObject* list, SliceRange range) {
  std::vector<Any> removed;
  removed.reserve(static_cast<size_t>(range.count));
  if (range.step < 0) {
    range.start += (range.count - 1) * range.step;
    range.step = -range.step;
  }
  internal::CountChange(list);
  TainSeqCell* cell = internal::SeqCellOf(list);
  TainAny* data = ElementsOf(list);
  Py_ssize_t next = range.start;  // the next element to remove
  int64_t kept = range.start;
  for (int64_t i = range.start; i < cell->size; ++i) {
    if (i == next && static_cast<Py_ssize_t>(removed.size()) < range.count) {
      removed.push_back(Any::Steal(data[i]));
      next += range.step;
    } else {
      data[kept++] = data[i];
    }
  }
  cell->size = kept;
  return 0;
}

int AssignSlice(PyObject* self, PyObject* slice, PyObject* object) noexcept {
  SliceRange range;
  if (!ReadSlice(slice, &range)) return -1;
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return -1;
  const Held values = object == nullptr ? Held() : StealHeld(ElementsForList(list, object));
  if (object != nullptr && !values) return -1;
  list = ListReceiver(self);  // it may have been lost meanwhile
  if (list == nullptr) return -1;
  AdjustSlice(LengthOf(list), &range);
  return Guarded(-1, [&] {
    if (range.step == 1) {
      const TainObject* source = HeaderOf(values);
      internal::SeqSplice(list, range.start, std::max(range.start, range.stop),
                          internal::SeqData(source), internal::SeqSize(source));
      return 0;
    }
    if (object != nullptr) return AssignExtended(list, range, HeaderOf(values));
    return range.count == 0 ? 0 : DeleteExtended(list, range);
  });
}

int AssignSubscript(PyObject* self, PyObject* key, PyObject* value) {
  Py_ssize_t index;
  if (PySlice_Check(key)) return AssignSlice(self, key, value);
  if (PyIndex_Check(key)) return ReadIndex(key, &index) ? AssignIndex(self, index, value) : -1;
  const TainObject* list = ListReceiver(self);
  if (list != nullptr) SetKeyTypeError(list, key);
  return -1;
}

/// sq_ass_item. CPython has already added the length to a negative index.
int AssignItem(PyObject* self, Py_ssize_t index, PyObject* value) {
  return AssignIndex(self, index < 0 ? PY_SSIZE_T_MAX : index, value);
}

PyObject* InplaceAdd(PyObject* self, PyObject* iterable) {
  TainObject* list = ListReceiver(self);
  return list != nullptr && ExtendSeq(list, iterable) ? Py_NewRef(self) : nullptr;
}

PyObject* InplaceRepeat(PyObject* self, Py_ssize_t times) {
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return nullptr;
  if (times <= 0) {
    internal::SeqClear(list);
    return Py_NewRef(self);
  }
  const Held more = StealHeld(RepeatSeq(list, times - 1));
  const auto append = [&] {
    const int64_t size = LengthOf(list);
    internal::SeqSplice(list, size, size, internal::SeqData(HeaderOf(more)),
                        internal::SeqSize(HeaderOf(more)));
  };
  return more && Succeeds(append) ? Py_NewRef(self) : nullptr;
}

}  // namespace

void AddListMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods) {
  SetSlots(slots, {Slot(Py_mp_ass_subscript, kLocked<&AssignSubscript>),
                   Slot(Py_sq_ass_item, kLocked<&AssignItem>),
                   Slot(Py_nb_inplace_add, kLocked<&InplaceAdd>),
                   Slot(Py_sq_inplace_repeat, kLocked<&InplaceRepeat>),
                   Slot(Py_tp_hash, &PyObject_HashNotImplemented)});
  methods->insert(
      methods->end(),
      {{"append", kLocked<&Append>, METH_O,
        "append($self, value, /)\n--\n\nAdds a value at the end."},
       {"extend", kLocked<&Extend>, METH_O,
        "extend($self, iterable, /)\n--\n\nAdds the elements of an iterable at the end."},
       {"insert", MethodPointer(kLocked<&Insert>), METH_FASTCALL,
        "insert($self, index, value, /)\n--\n\nInserts a value before an index."},
       {"pop", MethodPointer(kLocked<&Pop>), METH_FASTCALL,
        "pop($self, index=-1, /)\n--\n\nRemoves and returns an element.\n\n"
        "Raises\n------\nIndexError\n    If the list is empty or the index is out of range."},
       {"remove", kLocked<&Remove>, METH_O,
        "remove($self, value, /)\n--\n\nRemoves the first element that equals a value.\n\n"
        "Raises\n------\nValueError\n    If there is none."},
       {"clear", kLocked<&ClearAll>, METH_NOARGS, "clear($self, /)\n--\n\nRemoves all elements."},
       {"reverse", kLocked<&Reverse>, METH_NOARGS,
        "reverse($self, /)\n--\n\nReverses the order in place."},
       {"copy", kLocked<&Copy>, METH_NOARGS,
        "copy($self, /)\n--\n\nA new List of the same elements."},
       {"sort", MethodPointer(kLocked<&ListSort>), METH_FASTCALL | METH_KEYWORDS,
        "sort($self, /, *, key=None, reverse=False)\n--\n\nSorts in place; equal elements keep "
        "their "
        "order.\n\nRaises\n------\nValueError\n    If `key` or a comparison changed the list."}});
}

}  // namespace tain::bindings
