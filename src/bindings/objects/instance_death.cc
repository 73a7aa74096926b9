// SPDX-License-Identifier: Apache-2.0
// The end of a wrapper; see instance.h. Raw Python types: tp_dealloc of generated classes and of
// Python subclasses.
//
// Between the drop of the last reference (or the return of __del__) and the removal of the tie only
// tain's code runs. The references that a wrapper holds are dropped afterwards, when no code can
// find the wrapper any more.
#include <array>
#include <utility>

#include "base/bridge_lock.h"
#include "objects/class_table.h"
#include "objects/found_names.h"
#include "objects/gc_candidates.h"
#include "objects/gc_pace.h"
#include "objects/instance.h"
#include "objects/state.h"

namespace tain::bindings {
namespace {

/// Whether a cycle may keep the object alive: its members may hold references too.
bool MayCycle(const TainObject* object) noexcept {
  const ClassRecord* record = GetObjectsState().classes.Find(object->type_index);
  return record != nullptr && record->may_cycle;
}

/// Whether a new wrapper could be told from this one.
bool IsNoticeable(PyObject* self) noexcept {
  return HasWeakReferences(self) || Py_TYPE(self)->tp_dealloc != &InstanceDealloc;
}

/// Drops a reference to an object that perhaps only a cycle keeps alive from now on.
TAIN_COLD void DropCandidate(TainObject* object) noexcept {
  NoteCandidate(object);
  internal::DecRef(object);
  CollectIfDue();
}

/// Forgets the functions that were found as attributes of a library's module: they hold the module.
/// True if the code that ran as they died has revived the wrapper.
bool ForgetFunctions(PyObject* self) noexcept {
  Revive(self);
  ForgetNamesOf(self);
  Track(self);  // before another thread can end it
  return !DropRevived(self);
}

/// Takes a wrapper without references from the collector, before the thread may wait for the lock:
/// meanwhile another thread may collect.
void UntrackDying(PyObject* self) noexcept {
#ifdef Py_GIL_DISABLED
  if (PyType_IS_GC(Py_TYPE(self))) PyObject_GC_UnTrack(self);
#else
  (void)self;
#endif
}

/// TryFlip for an object that others hold too.
TAIN_COLD bool TryFlipShared(PyObject* self, TainObject* object) noexcept {
  if (TAIN_UNLIKELY(Py_TYPE(self) == GetObjectsState().found_names.library_type)) {
    if (ForgetFunctions(self)) return true;
    if (StrongCount(object) <= 1) return false;
  }
  if (!IsNoticeable(self) || FindWrapper(object) != self) return false;  // not tied: no memory
  Revive(self);
  Track(self);
  AsInstance(self)->word &= ~uintptr_t{kInstanceReady};
  TieOf(object).fetch_or(kTainTieOwnsWrapper, std::memory_order_acq_rel);
  if (HasPrefix(object) && MayCycle(object)) return DropCandidate(object), true;
  internal::DecRef(object);
  return true;
}

/// Makes the object the owner of the wrapper if C++ still holds it and a new wrapper could be told
/// from this one. Then `self` lives on, and the caller must not touch it: it may already have died
/// again.
inline bool TryFlip(PyObject* self) noexcept {
  TainObject* object = ObjectOrNull(self);
  if (TAIN_LIKELY(object == nullptr || StrongCount(object) <= 1)) return false;
  return TryFlipShared(self, object);
}

/// Drops the reference of a wrapper.
inline void DropReference(TainObject* object) noexcept {
  if (object == nullptr) return;
  if (TAIN_UNLIKELY(StrongCount(object) > 1) && HasPrefix(object) && MayCycle(object)) {
    return DropCandidate(object);
  }
  internal::DecRef(object);
}

/// Drops the object of a dying wrapper.
void DropObject(PyObject* self) noexcept {
  const uintptr_t word = std::exchange(AsInstance(self)->word, uintptr_t{kInstanceDying});
  DropReference(reinterpret_cast<TainObject*>(word & ~uintptr_t{kInstanceMask}));
}

/// Values taken out of slots. They are dropped after all classes were searched.
struct Taken {
  std::array<PyObject*, 16> values;
  size_t count = 0;
};

/// Takes the values out of the slots that `__slots__` of one class made.
void TakeSlots(PyTypeObject* type, PyObject* self, Taken* taken) noexcept {
  const PyMemberDef* member = type->tp_members;
  if (member == nullptr) return;
  for (Py_ssize_t i = 0; i < Py_SIZE(type) && member->name != nullptr; ++i, ++member) {
    if (member->type != T_OBJECT_EX || (member->flags & READONLY) != 0) continue;
    auto** slot = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + member->offset);
    if (*slot == nullptr) continue;
    if (taken->count == taken->values.size()) return;
    taken->values[taken->count++] = std::exchange(*slot, nullptr);
  }
}

/// Clears all slots. It drops the values last, because their finalizers may change the bases of the
/// classes.
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

/// Frees the memory of a wrapper.
inline void FreeWrapper(PyObject* self) noexcept {
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// Drops what a wrapper of a Python subclass holds, then frees the wrapper.
void TearDown(PyObject* self) noexcept {
  if (HasWeakReferences(self)) PyObject_ClearWeakRefs(self);
  ClearState(self);
  DropObject(self);
  FreeWrapper(self);
}

/// Runs __del__; true if the wrapper lives on.
bool RunDel(PyObject* self) noexcept {
  if (Py_TYPE(self)->tp_finalize == nullptr) return false;
  Track(self);
  if (PyObject_CallFinalizerFromDealloc(self) < 0) return true;
  // __del__ may have given the object to C++.
  if (TryFlip(self)) return true;
  if (PyType_IS_GC(Py_TYPE(self))) PyObject_GC_UnTrack(self);
  return false;
}

#ifdef Py_GIL_DISABLED
/// Whether a wrapper and its object end without the lock of the bridge. They do if the object's type says
/// tain::thread_safe(), so that its destructor may run beside other code, and if nobody else holds either
/// of the two, not even weakly, so that nobody can reach them.
bool DiesFreely(PyObject* self) noexcept {
  TainObject* object = ReadyObject(self);
  if (TAIN_UNLIKELY(object == nullptr || !HasPrefix(object) || HasWeakReferences(self))) {
    return false;
  }
  if (std::atomic_ref<uint64_t>(object->combined_ref_count).load(std::memory_order_acquire) !=
      internal::kBothOne) {
    return false;
  }
  const ClassRecord* record = GetObjectsState().classes.Find(object->type_index);
  return TAIN_LIKELY(record != nullptr && record->is_thread_safe);
}
#endif

/// The last step of the end of an instance of a class written in Python.
void EndSubclass(PyObject* self, bool gc) noexcept {
  if (!gc) return TearDown(self);
  Py_TRASHCAN_BEGIN(self, SubclassDealloc);
  TearDown(self);
  Py_TRASHCAN_END
}

}  // namespace

void ClearState(PyObject* self) noexcept {
  ClearSlots(self);
  ClearDict(self);
}

void InstanceDealloc(PyObject* self) {
  UntrackDying(self);
#ifdef Py_GIL_DISABLED
  if (TAIN_LIKELY(DiesFreely(self))) {
    DropReference(Detach(AsInstance(self)));
    return FreeWrapper(self);
  }
#endif
  const BridgeLock lock;
  if (TryFlip(self)) return;
  if (PyType_IS_GC(Py_TYPE(self))) PyObject_GC_UnTrack(self);
  if (TAIN_LIKELY(!HasWeakReferences(self))) {
    DropReference(Detach(AsInstance(self)));
  } else {
    BeginDying(AsInstance(self));
    PyObject_ClearWeakRefs(self);
    DropObject(self);
  }
  FreeWrapper(self);
}

// CPython's subtype_dealloc clears __dict__ and slots before it calls the dealloc of a base. The
// change of ownership must come first, so this function replaces it. The trashcan limits the C
// stack when wrappers hold wrappers in their attributes. A wrapper that it postponed comes back
// in state dying.
void SubclassDealloc(PyObject* self) {
  const bool gc = PyType_IS_GC(Py_TYPE(self));  // assigning __class__ keeps it
  UntrackDying(self);
#ifdef Py_GIL_DISABLED
  if (Py_TYPE(self)->tp_finalize == nullptr && DiesFreely(self)) {
    BeginDying(AsInstance(self));
    return EndSubclass(self, gc);
  }
#endif
  const BridgeLock lock;
  if ((AsInstance(self)->word & kInstanceDying) == 0) {
    if (TryFlip(self)) return;
    if (gc) PyObject_GC_UnTrack(self);
    if (RunDel(self)) return;
    BeginDying(AsInstance(self));
  }
  EndSubclass(self, gc);
}

}  // namespace tain::bindings
