// SPDX-License-Identifier: Apache-2.0
// Makes containers of Python objects; see container_convert.h.
//
// Converting an element can run Python code, which may change the source, and also the target if it
// is visible already. So elements are held while they are converted, and sizes are read again.
#include "values/container_convert.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/given_text.h"
#include "base/loops.h"
#include "base/recursion.h"
#include "tain/container/map_base.h"
#include "tain/internal/value_ops.h"
#include "values/container_lookup.h"
#include "values/declared.h"

namespace tain::bindings {
namespace {

constexpr Py_ssize_t kMaxWaste = 16;         // so many unused places are kept
constexpr Py_ssize_t kItemsPerCheck = 4096;  // a power of two, between two checks for signals

Held NewSeq(int32_t type_index, int64_t capacity) noexcept {
  return StealHeld(
      Guarded<TainObject*>(nullptr, [&] { return internal::SeqNew(type_index, capacity); }));
}

/// Reserves room for more elements. Grows by half at least, so that many small extensions take
/// linear time.
bool ReserveMore(TainObject* seq, int64_t more) noexcept {
  const TainSeqCell* cell = internal::SeqCellOf(seq);
  if (cell->capacity - cell->size >= more) return true;
  return Succeeds([&] {
    internal::SeqReserve(seq, std::max(cell->size + more, cell->capacity + cell->capacity / 2));
  });
}

/// Appends an owned value.
inline bool PushOwned(TainObject* seq, const TainAny& value) noexcept {
  TainSeqCell* cell = internal::SeqCellOf(seq);
  if (TAIN_LIKELY(cell->size < cell->capacity)) {
    static_cast<TainAny*>(cell->data)[cell->size++] = value;
    return true;
  }
  return Succeeds([&] { internal::SeqPush(seq, Any::Steal(value)); });
}

/// Appends the elements from `begin` to `end` of a list or tuple, which may become shorter.
bool ExtendFromPart(TainObject* seq, PyObject* source, Py_ssize_t begin, Py_ssize_t end,
                    Conversion* conversion) noexcept {
  for (Py_ssize_t i = begin; i < end && i < PySequence_Fast_GET_SIZE(source); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(source, i);
    TainSeqCell* cell = internal::SeqCellOf(seq);  // read again: conversions may change it
    if (TAIN_LIKELY(cell->size < cell->capacity)) {
      TainAny* place = static_cast<TainAny*>(cell->data) + cell->size;
      int64_t number;
      if (TAIN_LIKELY(Py_TYPE(item) == &PyLong_Type && CompactInt(item, &number))) {
        SetInt(number, place);
        ++cell->size;
        continue;
      }
      const Tried tried = OwnedFromPythonFast(item, place);
      if (TAIN_LIKELY(tried == Tried::kDone)) {
        ++cell->size;
        continue;
      }
      if (tried == Tried::kFailed) return false;
    }
    const Own keep = Own::Share(item);
    TainAny value;
    if (!conversion->Part(item, &value) || !PushOwned(seq, value)) return false;
  }
  return true;
}

/// Appends the elements of a list or tuple. If a list grows meanwhile, reads only its first length,
/// because each element could add another one.
bool ExtendFromFast(TainObject* seq, PyObject* given, Conversion* conversion) noexcept {
  const Own readable = Readable(given);
  PyObject* source = readable.get();
  if (source == nullptr) return false;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(source);
  if (!ReserveMore(seq, size)) return false;
  Py_ssize_t done = 0;
  for (; size - done > kItemsPerCheck; done += kItemsPerCheck) {
    if (!ExtendFromPart(seq, source, done, done + kItemsPerCheck, conversion)) return false;
    if (PyErr_CheckSignals() != 0) return false;
  }
  return ExtendFromPart(seq, source, done, size, conversion);
}

bool PushAll(TainObject* seq, PyObject* iterator, Conversion* conversion) noexcept {
  while (true) {
    const Own item(PyIter_Next(iterator));
    if (!item) return !PyErr_Occurred();
    TainAny value;
    if (!conversion->Part(item.get(), &value) || !PushOwned(seq, value)) return false;
    if (!conversion->CheckSignals()) return false;
  }
}

bool ExtendFromIterator(TainObject* seq, PyObject* iterable, Conversion* conversion) noexcept {
  const Own iterator(PyObject_GetIter(iterable));
  if (!iterator) return false;
  // As list does, reserve the announced number of elements, or raise MemoryError before anything is
  // read.
  const Py_ssize_t hint = PyObject_LengthHint(iterable, 0);
  if (hint < 0) return false;
  const bool sums = hint <= PY_SSIZE_T_MAX - internal::SeqSize(seq);
  if (sums && !ReserveMore(seq, hint)) return false;
  const bool good = PushAll(seq, iterator.get(), conversion);
  if (hint > kMaxWaste) internal::SeqShrink(seq);  // the hint may have been wrong
  return good;
}

/// Appends the elements of an Array or List, which may be `seq` itself.
bool ExtendFromSeq(TainObject* seq, const TainObject* source) noexcept {
  return Succeeds([&] {
    const int64_t size = internal::SeqSize(seq);
    internal::SeqSplice(seq, size, size, internal::SeqData(source), internal::SeqSize(source));
  });
}

bool ReadExtent(PyObject* item, Py_ssize_t index, int64_t* out) noexcept {
  if (!PyIndex_Check(item)) {
    SetGivenError(PyExc_TypeError, "Shape[" + std::to_string(index) + "]: expected int", item);
    return false;
  }
  const Own number(PyNumber_Index(item));
  if (!number) return false;
  int overflow = 0;
  *out = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow != 0) {
    PyErr_Format(PyExc_OverflowError, "Shape[%zd]: expected int in -2**63..2**63-1, got %S", index,
                 number.get());
    return false;
  }
  return *out != -1 || !PyErr_Occurred();
}

// ---------------------------------------------------------------- maps

/// Whether the order of a dict is that of its entries; an OrderedDict stores its own order.
bool HasPlainOrder(PyObject* dict) noexcept {
  return Py_TYPE(dict)->tp_iter == PyDict_Type.tp_iter;
}

/// Adds the first entries of a dict to a new map, as long as there is room and converting them runs
/// no code: keys of type str, and values of built-in types or objects of tain. So the dict does not
/// change meanwhile, its keys differ from each other, and the map need not search for them. Returns
/// the number of entries, or -1 with an error set; `at` is then the position behind them.
Py_ssize_t AddPlainEntries(TainObject* map, PyObject* dict, Py_ssize_t* at) noexcept {
  uint64_t room = 0, count = 0;
  internal::MapItem* items = internal::MapRoom(map, &room);
  PyObject *key, *value;
  Tried tried = Tried::kDone;
  for (Py_ssize_t next = 0; count < room && PyDict_Next(dict, &next, &key, &value); *at = next) {
    if (Py_TYPE(key) != &PyUnicode_Type) break;
    internal::MapItem* item = items + count;
    tried = OwnedFromPythonFast(key, &item->key);
    if (tried != Tried::kDone) break;
    tried = OwnedFromPythonFast(value, &item->value);
    if (tried != Tried::kDone) {
      const Any dropped = Any::Steal(item->key);
      break;
    }
    ++count;
  }
  internal::MapExtend(map, count);
  return tried == Tried::kFailed ? -1 : static_cast<Py_ssize_t>(count);
}

bool UpdateFromDict(TainObject* map, PyObject* given, bool is_new,
                    Conversion* conversion) noexcept {
  const Own readable = Readable(given);
  PyObject* dict = readable.get();
  if (dict == nullptr) return false;
  const Py_ssize_t size = PyDict_GET_SIZE(dict);
  Py_ssize_t left = size, at = 0;
  if (is_new) {
    const Py_ssize_t added = AddPlainEntries(map, dict, &at);
    if (added < 0) return false;
    left -= added;
  }
  PyObject *key, *value;
  while (PyDict_Next(dict, &at, &key, &value)) {
    // A key was removed for each one added, so the size is unchanged.
    if (left-- == 0) return SetDictChanged("keys changed");
    const Own keep_key = Own::Share(key);
    const Own keep_value = Own::Share(value);
    if (!SetEntryOfHeld(map, key, value, is_new, conversion)) return false;
    if (TAIN_UNLIKELY((left & (kItemsPerCheck - 1)) == 0) && PyErr_CheckSignals() != 0)
      return false;
    if (PyDict_GET_SIZE(dict) != size) return SetDictChanged("changed size");
  }
  return true;
}

/// Adds the entries of a Map or Dict that is not `map` itself.
bool UpdateFromMap(TainObject* map, TainObject* source) noexcept {
  const bool is_new = internal::MapSize(map) == 0;
  return Guarded(false, [&] {
    const bool takes_anything = TakesAnything(map);
    return internal::EachEntry(source, [&](Any key, Any value) {
      StoreEntry(map, key, value, is_new, takes_anything);
      return true;
    });
  });
}

bool UpdateFromKeys(TainObject* map, PyObject* source, PyObject* keys_method,
                    Conversion* conversion) noexcept {
  const Own keys(PyObject_CallNoArgs(keys_method));
  const Own iterator(keys ? PyObject_GetIter(keys.get()) : nullptr);
  if (!iterator) return false;
  while (true) {
    const Own key(PyIter_Next(iterator.get()));
    if (!key) return !PyErr_Occurred();
    const Own value(PyObject_GetItem(source, key.get()));
    if (!value || !SetEntryOfHeld(map, key.get(), value.get(), false, conversion)) return false;
    if (!conversion->CheckSignals()) return false;
  }
}

bool SetPair(TainObject* map, PyObject* item, Py_ssize_t index, Conversion* conversion) noexcept {
  const char* name = ContainerName(map->type_index);
  Own pair(PySequence_Fast(item, ""));
  if (!pair) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
      SetGivenError(PyExc_TypeError,
                    std::string(name) + ": expected a pair as element " + std::to_string(index),
                    item);
    }
    return false;
  }
  if (!(pair = Readable(pair.get()))) return false;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(pair.get());
  if (size != 2) {
    PyErr_Format(PyExc_ValueError, "%s: expected a pair as element %zd, got %zd value%s", name,
                 index, size, size == 1 ? "" : "s");
    return false;
  }
  const Own key = Own::Share(PySequence_Fast_GET_ITEM(pair.get(), 0));
  const Own value = Own::Share(PySequence_Fast_GET_ITEM(pair.get(), 1));
  return SetEntryOfHeld(map, key.get(), value.get(), false, conversion);
}

bool UpdateFromPairs(TainObject* map, PyObject* source, Conversion* conversion) noexcept {
  const Own iterator(PyObject_GetIter(source));
  if (!iterator) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
      SetGivenError(PyExc_TypeError,
                    std::string(ContainerName(map->type_index)) +
                        ": expected a mapping or an iterable of pairs",
                    source);
    }
    return false;
  }
  for (Py_ssize_t index = 0;; ++index) {
    const Own item(PyIter_Next(iterator.get()));
    if (!item) return !PyErr_Occurred();
    if (!SetPair(map, item.get(), index, conversion) || !conversion->CheckSignals()) return false;
  }
}

/// Returns the method keys of a mapping; null without an error if there is none.
Own KeysMethod(PyObject* object) noexcept {
  Own method(PyObject_GetAttrString(object, "keys"));
  if (!method && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
  return method;
}

/// Adds the entries of any mapping or iterable of pairs to a map that the caller holds.
bool UpdateHeld(TainObject* map, PyObject* source, bool is_new, Conversion* conversion) noexcept {
  if (TainObject* entries = ExactContainerOf<&internal::IsMap>(source)) {
    return entries == map || UpdateFromMap(map, entries);
  }
  if (PyDict_Check(source) && HasPlainOrder(source)) {
    return UpdateFromDict(map, source, is_new, conversion);
  }
  const Own keys = KeysMethod(source);
  if (keys) return UpdateFromKeys(map, source, keys.get(), conversion);
  return !PyErr_Occurred() && UpdateFromPairs(map, source, conversion);
}

TainObject* SequenceWith(PyObject* object, Conversion* conversion) noexcept {
  const Recursion level(" while converting a sequence");
  if (!level) return nullptr;
  Held made = NewSeq(kTainArray, PySequence_Fast_GET_SIZE(object));
  const bool good = made && ExtendFromFast(HeaderOf(made), object, conversion);
  return good ? ReleaseHeld(made) : nullptr;
}

TainObject* MappingWith(PyObject* object, Conversion* conversion) noexcept {
  const Recursion level(" while converting a mapping");
  if (!level) return nullptr;
  const auto size = static_cast<uint64_t>(PyDict_GET_SIZE(object));
  Held made =
      StealHeld(Guarded<TainObject*>(nullptr, [&] { return internal::MapNew(kTainMap, size); }));
  const bool good = made && UpdateHeld(HeaderOf(made), object, true, conversion);
  return good ? ReleaseHeld(made) : nullptr;
}

}  // namespace

// ---------------------------------------------------------------- parts

struct Conversion::Known {
  struct Entry {
    Own part;  ///< held, so that no other object gets its address
    Held made;
  };
  std::unordered_map<PyObject*, Entry> entries;
};

void Conversion::Forget() noexcept { delete std::exchange(known_, nullptr); }

bool Conversion::CheckSignals() noexcept {
  constexpr uint32_t kStepsPerCheck = 4096;
  return ++steps_ % kStepsPerCheck != 0 || PyErr_CheckSignals() == 0;
}

bool Conversion::Container(PyObject* part, TainAny* out) noexcept {
  // A part that only its holder and the caller refer to is not met again.
  const bool may_be_met_again = Py_REFCNT(part) > 2;
  if (may_be_met_again && known_ != nullptr) {
    const auto found = known_->entries.find(part);
    if (found != known_->entries.end()) {
      TainObject* made = HeaderOf(found->second.made);
      internal::IncRef(made);
      SetObject(made, out);
      return true;
    }
  }
  if (!CheckSignals()) return false;
  TainObject* made = PyDict_Check(part) ? MappingWith(part, this) : SequenceWith(part, this);
  if (made == nullptr) return false;
  SetObject(made, out);
  if (!may_be_met_again) return true;
  return Succeeds([&] {
    const Any owned = Any::Steal(*out);  // until it is entered
    if (known_ == nullptr) known_ = new Known;
    known_->entries.try_emplace(part, Known::Entry{Own::Share(part), Hold(made)});
    internal::IncRef(made);
  });
}

// ---------------------------------------------------------------- whole values

TainObject* SequenceFromPython(PyObject* object) noexcept {
  Conversion conversion;
  return SequenceWith(object, &conversion);
}

TainObject* MappingFromPython(PyObject* object) noexcept {
  Conversion conversion;
  return MappingWith(object, &conversion);
}

#ifdef Py_GIL_DISABLED
namespace {

/// Appends an item that needs no conversion but that of numbers and text; false, without an error, for
/// others. There must be room.
bool PushFreely(TainObject* seq, PyObject* item) noexcept {
  TainSeqCell* cell = internal::SeqCellOf(seq);
  TainAny* place = static_cast<TainAny*>(cell->data) + cell->size;
  int64_t number;
  if (TAIN_LIKELY(Py_TYPE(item) == &PyLong_Type && CompactInt(item, &number))) {
    SetInt(number, place);
  } else if (IsWrapper(item)) {
    TainObject* object = HoldReadyAtOnce(item);
    if (object == nullptr) return false;
    SetObject(object, place);
  } else {
    const Tried tried = OwnedFromPythonFast(item, place);
    if (tried == Tried::kFailed) PyErr_Clear();  // no memory: with the lock it is tried again
    if (tried != Tried::kDone) return false;
  }
  ++cell->size;
  return true;
}

}  // namespace

TainObject* FreeSequenceFromPython(PyObject* source) noexcept {
  const bool is_list = PyList_CheckExact(source);
  if (!is_list && !PyTuple_CheckExact(source)) return nullptr;
  std::optional<WordLock> lock;  // nothing below waits, so the list does not change
  if (is_list) lock.emplace(source);
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(source);
  if (size > kItemsPerCheck) return nullptr;
  Held made = NewSeq(kTainArray, size);
  if (!made) {
    PyErr_Clear();
    return nullptr;
  }
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (!PushFreely(HeaderOf(made), PySequence_Fast_GET_ITEM(source, i))) return nullptr;
  }
  return ReleaseHeld(made);
}
#endif

TainObject* ElementsForList(const TainObject* list, PyObject* iterable) noexcept {
  const Held held = Hold(const_cast<TainObject*>(list));
  Held made = StealHeld(SeqFromIterable(iterable, kTainArray));
  if (!made || TakesAnything(list)) return made ? ReleaseHeld(made) : nullptr;
  auto* elements = static_cast<Any*>(internal::SeqCellOf(HeaderOf(made))->data);  // nobody else's
  const bool good = Succeeds([&] {
    for (int64_t i = 0, size = internal::SeqSize(HeaderOf(made)); i < size; ++i) {
      StoreAsDeclared(list, ElementRole::kItem, internal::IndexPlace(i), &elements[i]);
    }
  });
  return good ? ReleaseHeld(made) : nullptr;
}

bool ExtendSeq(TainObject* seq, PyObject* iterable) noexcept {
  const Held held = Hold(seq);
  if (!TakesAnything(seq)) {  // all are added, or none
    const Held more = StealHeld(ElementsForList(seq, iterable));
    return more && ExtendFromSeq(seq, HeaderOf(more));
  }
  Conversion conversion;
  if (const TainObject* source = ExactContainerOf<&internal::IsSeq>(iterable)) {
    return ExtendFromSeq(seq, source);
  }
  if (PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable)) {
    return ExtendFromFast(seq, iterable, &conversion);
  }
  return ExtendFromIterator(seq, iterable, &conversion);
}

TainObject* SeqFromIterable(PyObject* iterable, int32_t type_index) noexcept {
  const bool fast = PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable);
  if (const TainObject* source = ExactContainerOf<&internal::IsSeq>(iterable)) {
    return Guarded<TainObject*>(nullptr, [&] { return internal::SeqCopy(source, type_index, 0); });
  }
  Held made = NewSeq(type_index, fast ? PySequence_Fast_GET_SIZE(iterable) : 0);
  if (!made || !ExtendSeq(HeaderOf(made), iterable)) return nullptr;
  return ReleaseHeld(made);
}

TainObject* ShapeFromIterable(PyObject* iterable) noexcept {
  const Own iterator(PyObject_GetIter(iterable));
  if (!iterator) return nullptr;
  const Py_ssize_t hint = PyObject_LengthHint(iterable, 0);
  if (hint < 0) return nullptr;
  return Guarded<TainObject*>(nullptr, [&]() -> TainObject* {
    std::vector<int64_t> extents;
    if (static_cast<size_t>(hint) > extents.max_size()) throw std::bad_alloc();
    extents.reserve(static_cast<size_t>(hint));
    while (true) {
      const Own item(PyIter_Next(iterator.get()));
      if (!item) break;
      int64_t extent = 0;
      if (!ReadExtent(item.get(), static_cast<Py_ssize_t>(extents.size()), &extent)) return nullptr;
      extents.push_back(extent);
    }
    return PyErr_Occurred() ? nullptr : internal::ShapeNew(extents.data(), extents.size());
  });
}

bool UpdateMap(TainObject* map, PyObject* source, bool is_new) noexcept {
  const Held held = Hold(map);
  Conversion conversion;
  return UpdateHeld(map, source, is_new, &conversion);
}

}  // namespace tain::bindings
