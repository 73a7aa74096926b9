// SPDX-License-Identifier: Apache-2.0
// The iterator over containers; see iter.h. Raw Python type: each step of a loop is one call of a
// slot (docs/contributing/raw_types.md has the figures).
//
// An iterator holds the Python container and not its object, so that the garbage collector can
// visit it. A sequence may change during the iteration, as a Python list may. If a Map or Dict
// changes, the iteration raises RuntimeError.
#include "containers/iter.h"

#include <atomic>
#include <cstring>

#include "base/bridge_lock.h"
#include "containers/state.h"
#include "values/container_access.h"
#include "values/container_lookup.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

struct ContainerIter;
using StepFunction = PyObject* (*)(ContainerIter*) noexcept;

struct ContainerIter {
  PyObject ob_base;
  PyObject* container;  ///< an Instance; null when the iterator is exhausted
  StepFunction step;    ///< the step function of this iterator
  TainObject* object;   ///< the container's object at the start; only compared
  int64_t at;           ///< index of the next element, or position of the next entry
  int64_t left;         ///< maps: number of entries still to come
  int64_t size;         ///< maps: number of entries at the start; -1 after a change was seen
  TainAny key;          ///< maps: the key of the next entry, only compared bitwise
  PyObject* pair;       ///< items: the last returned pair, or null
#ifdef Py_GIL_DISABLED
  bool keeps;  ///< the container is an Array, and stays when the iterator is exhausted: FreeStep
#endif
};

/// The index of the next element, which FreeStep changes without the lock of the bridge.
int64_t PlaceOf(const ContainerIter* iter) noexcept {
  return std::atomic_ref<int64_t>(const_cast<ContainerIter*>(iter)->at)
      .load(std::memory_order_relaxed);
}
void SetPlace(ContainerIter* iter, int64_t place) noexcept {
  std::atomic_ref<int64_t>(iter->at).store(place, std::memory_order_relaxed);
}

ContainerIter* AsIter(PyObject* self) noexcept { return reinterpret_cast<ContainerIter*>(self); }

/// Ends the iteration permanently.
PyObject* Exhaust(ContainerIter* iter) noexcept {
#ifdef Py_GIL_DISABLED
  if (iter->keeps) return nullptr;
#endif
  Py_CLEAR(iter->container);
  Py_CLEAR(iter->pair);
  return nullptr;
}

/// Returns the object of the container. Its type is still the type at the start, because the class
/// of a container has one type. Null with an error set if it was moved away.
inline TainObject* ObjectOfIter(ContainerIter* iter) noexcept {
  TainObject* object = ReadyObject(iter->container);
  if (TAIN_LIKELY(object != nullptr && object == iter->object)) return object;
  object = ObjectOrNull(iter->container);
  if (object == iter->object) return object;
  if (object == nullptr) {
    SetEmptyError(iter->container);
  } else {
    PyErr_SetString(PyExc_RuntimeError, "the container was initialized anew during iteration");
  }
  return nullptr;
}

// ---------------------------------------------------------------- sequences

template <int kStep>
PyObject* StepSeq(ContainerIter* iter) noexcept {
  const TainObject* seq = ObjectOfIter(iter);
  if (TAIN_UNLIKELY(seq == nullptr)) return nullptr;
  const TainSeqCell* cell = internal::SeqCellOf(seq);
  const int64_t at = PlaceOf(iter);
  if (static_cast<uint64_t>(at) >= static_cast<uint64_t>(cell->size)) return Exhaust(iter);
  const TainAny& element = static_cast<const TainAny*>(cell->data)[at];
  SetPlace(iter, at + kStep);
  return ElementToPython(seq, ElementRole::kItem, element);
}

template <int kStep>
PyObject* StepShape(ContainerIter* iter) noexcept {
  const TainObject* shape = ObjectOfIter(iter);
  if (TAIN_UNLIKELY(shape == nullptr)) return nullptr;
  if (static_cast<uint64_t>(iter->at) >= static_cast<uint64_t>(LengthOf(shape))) {
    return Exhaust(iter);
  }
  PyObject* item = ItemOf(shape, iter->at);
  iter->at += kStep;
  return item;
}

// ---------------------------------------------------------------- maps

/// Returns a pair; takes over key and value. As dict's iterator does, reuses the last pair if no
/// other code holds it.
PyObject* NextPair(ContainerIter* iter, Own key, Own value, [[maybe_unused]] bool plain) noexcept {
  PyObject* pair = iter->pair;
#if PY_VERSION_HEX < 0x030E0000  // later tuples remember their hash
  if (pair != nullptr && Py_REFCNT(pair) == 1) {
    Py_INCREF(pair);  // before the old elements are dropped, which may run Python code
    const Own old_key(PyTuple_GET_ITEM(pair, 0));
    const Own old_value(PyTuple_GET_ITEM(pair, 1));
    PyTuple_SET_ITEM(pair, 0, key.release());
    PyTuple_SET_ITEM(pair, 1, value.release());
    // The collector stops to track a tuple of strings and numbers, but now it may hold other
    // objects.
    if (!plain && !PyObject_GC_IsTracked(pair)) PyObject_GC_Track(pair);
    return pair;
  }
#endif
  pair = PyTuple_New(2);
  if (pair == nullptr) return nullptr;
  PyTuple_SET_ITEM(pair, 0, key.release());
  PyTuple_SET_ITEM(pair, 1, value.release());
  Py_XSETREF(iter->pair, Py_NewRef(pair));
  return pair;
}

PyObject* PartOf(ContainerIter* iter, const TainObject* map, const internal::MapItem& item,
                 MapPart part) noexcept {
  if (part == MapPart::kKeys) return ElementToPython(map, ElementRole::kKey, item.key);
  if (part == MapPart::kValues) return ElementToPython(map, ElementRole::kValue, item.value);
  const Any value{AnyView(item.value)};  // converting the key may run Python code
  const bool plain = item.key.type_index < kTainStaticObjectBegin &&
                     item.value.type_index < kTainStaticObjectBegin &&
                     !GetValuesState().declared.is_used;
  Own first(ElementToPython(map, ElementRole::kKey, item.key));
  if (!first) return nullptr;
  Own second(TakenToPython(iter->container, ElementRole::kValue, value));
  return second ? NextPair(iter, std::move(first), std::move(second), plain) : nullptr;
}

PyObject* SetMapChanged(ContainerIter* iter, const TainObject* map, const char* what) noexcept {
  iter->size = -1;  // so every later step raises too
  return PyErr_Format(PyExc_RuntimeError, "%s %s during iteration", ContainerName(map->type_index),
                      what);
}

bool IsSame(const TainAny& a, const TainAny& b) noexcept {
  return std::memcmp(&a, &b, sizeof(TainAny)) == 0;
}

void NoteNext(ContainerIter* iter, const TainObject* map, uint64_t position) noexcept {
  iter->at = static_cast<int64_t>(position);
  const internal::MapItem* next = internal::MapItemAt(map, position);
  if (next != nullptr) iter->key = next->key;
}

template <MapPart kPart, bool kReversed>
PyObject* StepMap(ContainerIter* iter) noexcept {
  const TainObject* map = ObjectOfIter(iter);
  if (TAIN_UNLIKELY(map == nullptr)) return nullptr;
  if (TAIN_UNLIKELY(static_cast<int64_t>(internal::MapSize(map)) != iter->size)) {
    return SetMapChanged(iter, map, "changed size");
  }
  if (iter->left == 0) return Exhaust(iter);
  auto position = static_cast<uint64_t>(iter->at);
  const internal::MapItem* item;
  if constexpr (kReversed) {
    item = internal::MapItemAt(map, position);
    position = internal::MapPrevious(map, position);
  } else {
    item = internal::MapStep(map, &position);
  }
  // The size is unchanged, but added entries may be where the next entry was.
  if (TAIN_UNLIKELY(item == nullptr || !IsSame(item->key, iter->key))) {
    return SetMapChanged(iter, map, "keys changed");
  }
  --iter->left;
  NoteNext(iter, map, position);
  return PartOf(iter, map, *item, kPart);
}

template <bool kReversed>
StepFunction MapStep(MapPart part) noexcept {
  switch (part) {
    case MapPart::kKeys: return &StepMap<MapPart::kKeys, kReversed>;
    case MapPart::kValues: return &StepMap<MapPart::kValues, kReversed>;
    default: return &StepMap<MapPart::kItems, kReversed>;
  }
}

// ---------------------------------------------------------------- the type

PyObject* Next(PyObject* self) {
  ContainerIter* iter = AsIter(self);
  return TAIN_LIKELY(iter->container != nullptr) ? iter->step(iter) : nullptr;
}

#ifdef Py_GIL_DISABLED
/// Makes a step without the lock of the bridge if the next element is a number of an Array, which never
/// changes. As with iterators of Python, two threads that share one may get an element twice.
PyObject* FreeStep(PyObject* self) {
  ContainerIter* iter = AsIter(self);
  TainAny element{};
  PyObject* container = iter->keeps ? iter->container : nullptr;  // null after a collection, too
  const std::atomic_ref<bool> is_used(GetValuesState().declared.is_used);
  if (TAIN_LIKELY(container != nullptr && !is_used.load(std::memory_order_relaxed))) {
    UseReady(container, [&](const TainObject* seq) {
      const int64_t at = PlaceOf(iter);
      const TainSeqCell* cell = internal::SeqCellOf(seq);
      if (seq != iter->object || at >= cell->size) return;
      element = static_cast<const TainAny*>(cell->data)[at];
      const bool is_number = element.type_index == kTainInt || element.type_index == kTainFloat;
      if (is_number) SetPlace(iter, at + 1);
    });
    if (TAIN_LIKELY(element.type_index == kTainInt)) return PyLong_FromLongLong(element.v_int64);
    if (element.type_index == kTainFloat) return PyFloat_FromDouble(element.v_float64);
  }
  return kLocked<&Next>(self);
}
#endif

int Traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(AsIter(self)->container);
  Py_VISIT(AsIter(self)->pair);
  return 0;
}

int Clear(PyObject* self) {
  Py_CLEAR(AsIter(self)->container);
  Py_CLEAR(AsIter(self)->pair);
  return 0;
}

void Dealloc(PyObject* self) {
  // Before the thread may wait for the lock: meanwhile another thread may collect.
  PyObject_GC_UnTrack(self);
  const BridgeLock lock;
  PyTypeObject* type = Py_TYPE(self);
  Clear(self);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

/// The number of elements that list() allocates; an estimate is enough.
PyObject* LengthHint(PyObject* self, PyObject*) {
  const ContainerIter* iter = AsIter(self);
  if (iter->container == nullptr) return PyLong_FromLong(0);
  if (iter->size >= 0) return PyLong_FromLongLong(iter->left);
  const TainObject* seq = ContainerOf<&IsAnySeq>(iter->container);
  if (seq == nullptr) return PyLong_FromLong(0);
  const bool backwards = iter->step == &StepSeq<-1> || iter->step == &StepShape<-1>;
  const int64_t at = PlaceOf(iter);
  const int64_t hint = backwards ? at + 1 : LengthOf(seq) - at;
  return PyLong_FromLongLong(hint > 0 ? hint : 0);
}

#ifdef Py_GIL_DISABLED
constexpr auto kNext = &FreeStep;
#else
constexpr auto kNext = &Next;
#endif

PyTypeObject* MakeIteratorType() noexcept {
  static PyMethodDef methods[] = {
      {"__length_hint__", kLocked<&LengthHint>, METH_NOARGS, "Number of elements that are left."},
      {nullptr, nullptr, 0, nullptr}};
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>("Iterator over an Array, List, Shape, Map or Dict.")},
      Slot(Py_tp_dealloc, &Dealloc),
      Slot(Py_tp_traverse, &Traverse),
      Slot(Py_tp_clear, kLocked<&Clear>),
      Slot(Py_tp_iter, &PyObject_SelfIter),
      Slot(Py_tp_iternext, kNext),
      {Py_tp_methods, methods},
      {0, nullptr}};
  PyType_Spec spec{"tain.ContainerIterator", sizeof(ContainerIter), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                   slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

/// Returns the type, which is never freed; null with an error set.
PyTypeObject* IteratorType() noexcept {
  PyTypeObject*& type = GetContainersState().iterator_type;
  if (TAIN_UNLIKELY(type == nullptr)) type = MakeIteratorType();
  return type;
}

/// The caller has checked `container`.
PyObject* NewIter(PyObject* container, StepFunction step, int64_t at, int64_t size) noexcept {
  PyTypeObject* type = IteratorType();
  if (type == nullptr) return nullptr;
  auto* iter = PyObject_GC_New(ContainerIter, type);
  if (iter == nullptr) return nullptr;
  iter->container = Py_NewRef(container);
  iter->step = step;
  iter->object = ObjectOrNull(container);
  iter->at = at;
  iter->left = iter->size = size;
  iter->key = {};
  iter->pair = nullptr;
#ifdef Py_GIL_DISABLED
  iter->keeps = step == &StepSeq<1> && iter->object->type_index == kTainArray;
#endif
  auto* object = reinterpret_cast<PyObject*>(iter);
  PyObject_GC_Track(object);
  return object;
}

}  // namespace

PyObject* NewSeqIter(PyObject* self, bool reversed) noexcept {
  const TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return nullptr;
  const bool shape = seq->type_index == kTainShape;
  if (reversed) {
    return NewIter(self, shape ? &StepShape<-1> : &StepSeq<-1>, LengthOf(seq) - 1, -1);
  }
  return NewIter(self, shape ? &StepShape<1> : &StepSeq<1>, 0, -1);
}

PyObject* NewMapIter(PyObject* self, MapPart part, bool reversed) noexcept {
  const TainObject* map = MapReceiver(self);
  if (map == nullptr) return nullptr;
  const uint64_t at = reversed ? internal::MapLast(map) : internal::MapFirst(map);
  if (part == MapPart::kKeys && !reversed) ExpectInOrder(map);
  PyObject* iter = NewIter(self, reversed ? MapStep<true>(part) : MapStep<false>(part), 0,
                           static_cast<int64_t>(internal::MapSize(map)));
  if (iter != nullptr) NoteNext(AsIter(iter), map, at);
  return iter;
}

}  // namespace tain::bindings
