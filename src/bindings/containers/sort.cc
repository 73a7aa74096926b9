// SPDX-License-Identifier: Apache-2.0
// List.sort: Python sorts the indices, and the elements are then moved.
#include <algorithm>
#include <cstring>

#include "containers/class_parts.h"
#include "tain/internal/container_version.h"
#include "values/container_access.h"

namespace tain::bindings {
namespace {

struct SortOptions {
  PyObject* key = nullptr;  ///< null if it is None
  bool reverse = false;
};

bool ReadOptions(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                 SortOptions* out) noexcept {
  if (nargs > 0) {
    PyErr_SetString(PyExc_TypeError, "sort() takes no positional arguments");
    return false;
  }
  const Py_ssize_t count = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, i);
    if (IsText(name, "key")) {
      out->key = args[i] == Py_None ? nullptr : args[i];
    } else if (IsText(name, "reverse")) {
      const int reverse = PyObject_IsTrue(args[i]);
      if (reverse < 0) return false;
      out->reverse = reverse > 0;
    } else {
      PyErr_Format(PyExc_TypeError, "sort() got an unexpected keyword argument '%U'", name);
      return false;
    }
  }
  return true;
}

/// Sorts a list of ints; returns false if the list has other elements.
bool SortInts(TainObject* list, bool reverse) noexcept {
  internal::CountChange(list);
  TainSeqCell* cell = internal::SeqCellOf(list);
  auto* data = static_cast<TainAny*>(cell->data);
  const auto is_int = [](const TainAny& element) { return element.type_index == kTainInt; };
  if (!std::all_of(data, data + cell->size, is_int)) return false;
  if (reverse) {
    std::sort(data, data + cell->size,
              [](const TainAny& a, const TainAny& b) { return a.v_int64 > b.v_int64; });
  } else {
    std::sort(data, data + cell->size,
              [](const TainAny& a, const TainAny& b) { return a.v_int64 < b.v_int64; });
  }
  return true;
}

/// Returns the sort keys of the elements as a tuple.
Own KeysOf(const TainObject* snapshot, PyObject* key) noexcept {
  const int64_t size = internal::SeqSize(snapshot);
  Own keys(PyTuple_New(size));
  if (keys && size > 0)
    PyObject_GC_UnTrack(keys.get());  // gc.get_objects() must not return an incomplete tuple
  for (int64_t i = 0; keys && i < size; ++i) {
    Own item(ElementToPython(snapshot, ElementRole::kItem, internal::SeqData(snapshot)[i]));
    if (item && key != nullptr) item = Own(PyObject_CallOneArg(key, item.get()));
    if (!item) return Own();
    PyTuple_SET_ITEM(keys.get(), i, item.release());
  }
  if (keys && size > 0) PyObject_GC_Track(keys.get());
  return keys;
}

/// Returns the indices in the order of their keys; null with an error set.
Own OrderOf(PyObject* keys, bool reverse) noexcept {
  const Py_ssize_t size = PyTuple_GET_SIZE(keys);
  Own order(PyList_New(size));
  for (Py_ssize_t i = 0; order && i < size; ++i) {
    PyObject* index = PyLong_FromSsize_t(i);
    if (index == nullptr) return Own();
    PyList_SET_ITEM(order.get(), i, index);
  }
  const Own get(PyObject_GetAttrString(keys, "__getitem__"));
  const Own sort(order ? PyObject_GetAttrString(order.get(), "sort") : nullptr);
  const Own none(PyTuple_New(0));
  const Own options(PyDict_New());
  if (!get || !sort || !none || !options) return Own();
  if (PyDict_SetItemString(options.get(), "key", get.get()) != 0 ||
      PyDict_SetItemString(options.get(), "reverse", reverse ? Py_True : Py_False) != 0) {
    return Own();
  }
  const Own done(PyObject_Call(sort.get(), none.get(), options.get()));
  return done ? std::move(order) : Own();
}

/// Reads a permutation of 0..size-1. False if it is not one, because other code may have changed
/// the list of indices.
bool ReadOrder(PyObject* order, size_t size, std::vector<size_t>* out) {
  if (static_cast<size_t>(PyList_GET_SIZE(order)) != size) return false;
  std::vector<bool> seen(size);
  for (size_t i = 0; i < size; ++i) {
    PyObject* index = PyList_GET_ITEM(order, static_cast<Py_ssize_t>(i));
    const size_t at = PyLong_CheckExact(index) ? PyLong_AsSize_t(index) : size;
    if (at >= size || seen[at]) {
      PyErr_Clear();
      return false;
    }
    seen[at] = true;
    out->push_back(at);
  }
  return true;
}

/// Moves the elements to their new places. Fails if the list has changed since the snapshot.
bool Reorder(TainObject* list, const internal::ContainerVersion& before, const TainObject* snapshot,
             PyObject* order) {
  const auto size = static_cast<size_t>(internal::SeqSize(snapshot));
  const TainAny* from = internal::SeqData(snapshot);
  std::vector<size_t> places;
  places.reserve(size);
  TainSeqCell* cell = internal::SeqCellOf(list);
  // If a list does not count its changes, its elements are compared.
  if (internal::VersionOf(list) != before || !ReadOrder(order, size, &places) ||
      (size > 0 && std::memcmp(cell->data, from, size * sizeof(TainAny)) != 0)) {
    PyErr_SetString(PyExc_ValueError, "List modified during sort");
    return false;
  }
  internal::CountChange(list);
  auto* to = static_cast<TainAny*>(cell->data);
  for (size_t i = 0; i < size; ++i) to[i] = from[places[i]];
  return true;
}

}  // namespace

PyObject* ListSort(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  SortOptions options;
  if (!ReadOptions(args, nargs, kwnames, &options)) return nullptr;
  TainObject* list = ListReceiver(self);
  if (list == nullptr) return nullptr;
  if (options.key == nullptr && SortInts(list, options.reverse)) Py_RETURN_NONE;
  const Held held = Hold(list);
  const internal::ContainerVersion before = internal::VersionOf(list);
  const Held snapshot = HoldMade([&] { return internal::SeqCopy(list, kTainList, 0); });
  const Own keys(snapshot ? KeysOf(HeaderOf(snapshot), options.key) : Own());
  const Own order(keys ? OrderOf(keys.get(), options.reverse) : Own());
  if (!order) return nullptr;
  const bool good =
      Guarded(false, [&] { return Reorder(list, before, HeaderOf(snapshot), order.get()); });
  return good ? Py_NewRef(Py_None) : nullptr;
}

}  // namespace tain::bindings
