// SPDX-License-Identifier: Apache-2.0
// The end of a Python mirror; see instance.h. Raw Python types: tp_dealloc of generated classes and
// of Python subclasses.
//
// Between the end of the last reference (or the return of __del__) and the end of the tie only our
// own code runs. What an instance holds is dropped afterwards, when nobody can find it any more.
#include <array>
#include <utility>

#include "base/state.h"
#include "objects/class_table.h"
#include "objects/gc_candidates.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// Whether a cycle may keep the object: what it holds may hold references too.
bool MayCycle(const TainObject* object) noexcept {
  const auto& classes = GetState().classes;
  const auto index = static_cast<size_t>(object->type_index);
  return index < classes.size() && classes[index] != nullptr && classes[index]->may_cycle;
}

/// Whether a new mirror in its place would be noticed.
bool Noticeable(PyObject* self) noexcept {
  return AsInstance(self)->weaklist != nullptr || Py_TYPE(self)->tp_dealloc != &InstanceDealloc;
}

/// TryFlip for an object that others hold too.
TAIN_COLD bool TryFlipShared(PyObject* self, TainObject* object) noexcept {
  if (!Noticeable(self) || LiveMirror(object) != self) return false;  // the latter without memory
  Py_SET_REFCNT(self, 1);
  if (PyType_IS_GC(Py_TYPE(self)) && !PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);
  AsInstance(self)->word |= kInstanceAsk;
  TieOf(object).fetch_or(kTainTieOwnsWrapper, std::memory_order_acq_rel);
  if (HasPrefix(object) && MayCycle(object)) NoteCandidate(object);
  internal::DecRef(object);
  return true;
}

/// Turns the ownership round if C++ still holds the object and someone could tell. Then `self`
/// lives on, and must not be touched by the caller: it may already have died a second time.
inline bool TryFlip(PyObject* self) noexcept {
  TainObject* object = ObjectOrNull(self);
  if (TAIN_LIKELY(object == nullptr || StrongCount(object) <= 1)) return false;
  return TryFlipShared(self, object);
}

/// Drops the reference that an instance had.
inline void Drop(TainObject* object) noexcept {
  if (object == nullptr) return;
  if (TAIN_UNLIKELY(StrongCount(object) > 1) && HasPrefix(object) && MayCycle(object)) {
    NoteCandidate(object);
  }
  internal::DecRef(object);
}

/// Drops the object of a dying instance.
void DropObject(PyObject* self) noexcept {
  const uintptr_t word =
      std::exchange(AsInstance(self)->word, uintptr_t{kInstanceAsk | kInstanceDying});
  Drop(reinterpret_cast<TainObject*>(word & ~uintptr_t{kInstanceMask}));
}

/// Values out of slots, to be dropped when no class is looked at.
struct Taken {
  std::array<PyObject*, 16> values;
  size_t count = 0;
};

/// Takes values out of the slots that `__slots__` of one class made.
void TakeSlots(PyTypeObject* type, PyObject* self, Taken* taken) noexcept {
  const PyMemberDef* member = type->tp_members;
  if (member == nullptr) return;
  for (Py_ssize_t i = 0; i < Py_SIZE(type) && member->name != nullptr; ++i, ++member) {
    // 16 is T_OBJECT_EX (Py_T_OBJECT_EX from 3.12 on), 1 is READONLY.
    if (member->type != 16 || (member->flags & 1) != 0) continue;
    auto** slot = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + member->offset);
    if (*slot == nullptr) continue;
    if (taken->count == taken->values.size()) return;
    taken->values[taken->count++] = std::exchange(*slot, nullptr);
  }
}

/// Clears all slots. Finalizers of what they hold may give the classes other bases.
void ClearSlots(PyObject* self) noexcept {
  Taken taken;
  do {
    taken.count = 0;
    PyTypeObject* type = Py_TYPE(self);
    for (; type->tp_dealloc == &SubclassDealloc; type = type->tp_base) {
      TakeSlots(type, self, &taken);
    }
    for (size_t i = 0; i < taken.count; ++i) Py_DECREF(taken.values[i]);
  } while (taken.count == taken.values.size());
}

void ClearDict(PyObject* self) noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  if (PyType_HasFeature(Py_TYPE(self), Py_TPFLAGS_MANAGED_DICT)) {
    PyObject_ClearManagedDict(self);
    return;
  }
#elif PY_VERSION_HEX >= 0x030C0000
  if (PyType_HasFeature(Py_TYPE(self), Py_TPFLAGS_MANAGED_DICT)) {
    _PyObject_ClearManagedDict(self);
    return;
  }
#endif
  if (Py_TYPE(self)->tp_dictoffset == 0) return;
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
}

/// Gives back the memory.
inline void Free(PyObject* self) noexcept {
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// What a Python subclass's instance holds, and the instance.
void TearDown(PyObject* self) noexcept {
  if (AsInstance(self)->weaklist != nullptr) PyObject_ClearWeakRefs(self);
  ClearSlots(self);
  ClearDict(self);
  DropObject(self);
  Free(self);
}

/// Runs __del__; true if the instance lives on.
bool Finalize(PyObject* self) noexcept {
  if (Py_TYPE(self)->tp_finalize == nullptr) return false;
  const bool gc = PyType_IS_GC(Py_TYPE(self));
  if (gc) PyObject_GC_Track(self);
  if (PyObject_CallFinalizerFromDealloc(self) < 0) return true;
  // __del__ may have given the object to C++.
  if (TryFlip(self)) return true;
  if (gc) PyObject_GC_UnTrack(self);
  return false;
}

}  // namespace

void InstanceDealloc(PyObject* self) {
  if (TryFlip(self)) return;
  if (PyType_IS_GC(Py_TYPE(self))) PyObject_GC_UnTrack(self);
  if (TAIN_LIKELY(AsInstance(self)->weaklist == nullptr)) {
    Drop(Detach(AsInstance(self)));
  } else {
    BeginDying(AsInstance(self));
    PyObject_ClearWeakRefs(self);
    DropObject(self);
  }
  Free(self);
}

// CPython's subtype_dealloc clears __dict__ and slots before a base's dealloc runs; the flip must
// come first, so this stands in its place. The trashcan bounds the C stack when mirrors hold
// mirrors through their attributes: an instance that it kept for later comes back dying.
void SubclassDealloc(PyObject* self) {
  const bool gc = PyType_IS_GC(Py_TYPE(self));  // the same for every class that __class__ may get
  if ((AsInstance(self)->word & kInstanceDying) == 0) {
    if (TryFlip(self)) return;
    if (gc) PyObject_GC_UnTrack(self);
    if (Finalize(self)) return;
    BeginDying(AsInstance(self));
  }
  if (!gc) return TearDown(self);
  Py_TRASHCAN_BEGIN(self, SubclassDealloc);
  TearDown(self);
  Py_TRASHCAN_END
}

}  // namespace tain::bindings
