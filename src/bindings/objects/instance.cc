// SPDX-License-Identifier: Apache-2.0
// The tie between a C++ object and its wrapper; see instance.h. Raw Python types: wrappers.
#include "objects/instance.h"

#include <chrono>
#include <thread>

#include "base/gil.h"
#include "base/hooks.h"
#include "base/release_queue.h"
#include "base/state.h"
#include "objects/class_table.h"
#include "objects/gc_state.h"
#include "objects/override_sets.h"

namespace tain::bindings {
namespace {

#ifdef Py_DEBUG
/// See IsTracking. To visit all that an object reaches would take quadratic time for a chain.
thread_local bool is_tracking = false;

#endif

bool IsPythonClass(const PyTypeObject* type) noexcept {
  return TAIN_UNLIKELY(type->tp_dealloc == &SubclassDealloc);
}

/// Tells C++ which class, written in Python, to ask for overrides of methods, == and hash().
void NoteSet(TainObject* object, uint32_t set) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) {
    SetOverrideSet(object, set);
  } else {
    AskForeign(object->type_index);
  }
}

/// Waits until the thread that dropped the last reference to an object has handed its wrapper
/// back. Returns false if that will never happen: in the child of a fork(), that thread does not
/// exist.
TAIN_COLD bool WaitForHandBack(const TainObject* object) noexcept {
  for (int tries = 0; StrongCount(object) == 0; ++tries) {
    if (tries == 4000) return false;
    if (tries < 1000) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return true;
}

/// If the object owns its wrapper, gives the caller's strong reference to the wrapper and returns
/// true; the caller then has the object's reference to the wrapper. Returns false if another
/// thread did so before.
bool WakeWith(TainObject* object) noexcept {
  const uintptr_t tie =
      TieOf(object).fetch_and(~uintptr_t{kTainTieOwnsWrapper}, std::memory_order_acq_rel);
  if ((tie & kTainTieOwnsWrapper) == 0) return false;
  reinterpret_cast<Instance*>(tie & ~uintptr_t{kTainTieMask})->word = ReadyWord(object);
  return true;
}

/// Makes a wrapper ready that Python reached; false if that fails.
TAIN_COLD bool WakeWrapper(PyObject* self, TainObject* object) noexcept {
  while ((TieOf(object).load(std::memory_order_acquire) & kTainTieOwnsWrapper) != 0) {
    if (!internal::IncRefIfAlive(object)) {
      if (!WaitForHandBack(object)) return false;
    } else if (WakeWith(object)) {
      Py_DECREF(self);  // the object's reference, which is not the last one
    } else {
      internal::DecRef(object);  // another thread has given one to the wrapper
    }
  }
  AsInstance(self)->word = ReadyWord(object);
  return true;
}

TainObject* AddressIn(uintptr_t word) noexcept {
  return reinterpret_cast<TainObject*>(word & ~uintptr_t{kInstanceMask});
}

/// Removes the tie that leads from an object to its wrapper.
void EndTie(Instance* instance, TainObject* object) noexcept {
  GetGc().live_wrappers.Add(-1);
  if (IsPythonClass(Py_TYPE(instance)) && HasPrefix(object)) SetOverrideSet(object, 0);
  SetTie(object, nullptr);
}

[[gnu::always_inline]] inline bool AttachWith(Instance* instance, TainObject* object,
                                              uint32_t set) noexcept {
  auto* wrapper = reinterpret_cast<PyObject*>(instance);
  const uintptr_t before = std::exchange(instance->word, ReadyWord(object));
  AllowTakeReference(wrapper);
  if (TAIN_UNLIKELY(!ClaimTie(object, wrapper))) {
    instance->word = before;
    return false;
  }
  if (TAIN_UNLIKELY(set != 0)) NoteSet(object, set);
  GetGc().live_wrappers.Add(1);
  return true;
}

}  // namespace

void Track(PyObject* self) noexcept {
  if (!PyType_IS_GC(Py_TYPE(self)) || PyObject_GC_IsTracked(self)) return;
#ifdef Py_DEBUG
  is_tracking = true;
#endif
  PyObject_GC_Track(self);
#ifdef Py_DEBUG
  is_tracking = false;
#endif
}

#ifdef Py_DEBUG
bool IsTracking() noexcept { return is_tracking; }
#endif

void SetEmptyError(PyObject* wrapper) noexcept {
  const bool moved = (AsInstance(wrapper)->word & kInstanceMoved) != 0;
  PyErr_Format(PyExc_ValueError,
               moved ? "%s object is empty: it was moved away with _move()"
                     : "%s object is empty: its __init__ was not called (a subclass must call "
                       "super().__init__(...))",
               TypeName(wrapper));
}

TainObject* ObjectOrNullSlow(PyObject* wrapper) noexcept {
  const uintptr_t word = AsInstance(wrapper)->word;
  TainObject* object = AddressIn(word);
  if (object == nullptr || (word & kInstanceDying) != 0) return nullptr;
  return WakeWrapper(wrapper, object) ? object : nullptr;
}

TainObject* ObjectOfSlow(PyObject* wrapper) noexcept {
  TainObject* object = ObjectOrNullSlow(wrapper);
  if (object != nullptr) return object;
  if (IsEmpty(wrapper)) {
    SetEmptyError(wrapper);
  } else {
    PyErr_Format(PyExc_RuntimeError,
                 "%s object: its C++ object is being destroyed by a thread that does not go on",
                 TypeName(wrapper));
  }
  return nullptr;
}

TainObject* OwnedObjectOf(PyObject* wrapper) noexcept {
  const uintptr_t word = AsInstance(wrapper)->word;
  TainObject* object = AddressIn(word);
  if (object == nullptr || (word & kInstanceMask) != 0) return object;
  return (LoadTie(object) & kTainTieOwnsWrapper) != 0 ? nullptr : object;
}

bool Attach(Instance* instance, TainObject* object) noexcept {
  PyTypeObject* type = Py_TYPE(instance);
  // The set is found before the tie, because that may wait for a lock.
  if (IsPythonClass(type)) return AttachKnown(instance, object, OverrideSetOf(type));
  return AttachWith(instance, object, 0);
}

bool AttachKnown(Instance* instance, TainObject* object, uint32_t set) noexcept {
  return AttachWith(instance, object, set);
}

bool Exchange(Instance* instance, TainObject* object, TainObject** old) noexcept {
  *old = ObjectOrNull(reinterpret_cast<PyObject*>(instance));
  if (!Attach(instance, object)) return false;
  if (*old != nullptr) EndTie(instance, *old);
  return true;
}

void NoteNewClass(Instance* instance) noexcept {
  TainObject* object = AddressIn(instance->word);
  if (object != nullptr) NoteSet(object, OverrideSetOf(Py_TYPE(instance)));
}

TainObject* Detach(Instance* instance) noexcept {
  TainObject* object = ObjectOrNull(reinterpret_cast<PyObject*>(instance));
  if (object == nullptr) return nullptr;
  instance->word = 0;
  EndTie(instance, object);
  return object;
}

TainObject* DetachMoved(Instance* instance) noexcept {
  TainObject* object = Detach(instance);
  if (object != nullptr) instance->word |= kInstanceMoved;
  return object;
}

void BeginDying(Instance* instance) noexcept {
  TainObject* object = AddressIn(instance->word);
  if (object != nullptr) EndTie(instance, object);
  instance->word = (instance->word & ~uintptr_t{kInstanceReady}) | kInstanceDying;
}

PyObject* NewEmpty(PyTypeObject* type) noexcept {
  if (TAIN_UNLIKELY(type->tp_basicsize != sizeof(Instance) || PyType_IS_GC(type) ||
                    type->tp_alloc != &PyType_GenericAlloc)) {
    return type->tp_alloc(type, 0);  // its memory is zeros
  }
  // Does what PyType_GenericAlloc does for this layout.
  Instance* self = PyObject_New(Instance, type);
  if (TAIN_UNLIKELY(self == nullptr)) return nullptr;
  self->word = 0;
  self->weaklist = nullptr;
  return reinterpret_cast<PyObject*>(self);
}

PyObject* NewWrapper(PyTypeObject* type, TainObject* object) noexcept {
  PyObject* self = NewEmpty(type);
  if (TAIN_UNLIKELY(self == nullptr)) {
    internal::DecRef(object);
    return nullptr;
  }
#ifdef Py_GIL_DISABLED
  if (TAIN_UNLIKELY(!Attach(AsInstance(self), object))) {
    Py_DECREF(self);
    return Wrap(object);
  }
#else
  Attach(AsInstance(self), object);
#endif
  if (TAIN_UNLIKELY(object->type_index == kTainFunction)) GetHooks().init_function(self);
  return self;
}

#ifdef Py_GIL_DISABLED
/// Whether no other thread runs Python code. CPython forgets the threads that fork() leaves behind, and
/// those that it stops as it ends.
bool IsOnlyThread() noexcept {
  PyThreadState* own = PyThreadState_Get();
  PyThreadState* first = PyInterpreterState_ThreadHead(PyThreadState_GetInterpreter(own));
  return first == own && PyThreadState_Next(own) == nullptr;
}

/// Waits for another thread, which needs the lock to end a wrapper. It may also wait for a garbage
/// collection, which waits until this thread is detached. Returns false if it never goes on, because
/// fork() left it behind or the interpreter ends.
TAIN_COLD bool WaitForEnd(int tries) noexcept {
  constexpr int kYields = 1000, kMost = 4000;
  if (IsOnlyThread() || (tries >= kMost && GetState().is_forked)) return false;
  const ReleaseGil unlocked;
  if (tries < kYields) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Gives a wrapper a reference again that a lost thread was about to end. As long as the tie leads to
/// it, it has its attributes and a reference to its object.
TAIN_COLD PyObject* Recover(PyObject* wrapper, const TainObject* object) noexcept {
  Revive(wrapper);
  AsInstance(wrapper)->word = ReadyWord(object);
  Track(wrapper);
  return wrapper;
}

Own HoldWrapper(const TainObject* object) noexcept {
  for (int tries = 0; PyObject* wrapper = FindWrapper(object); ++tries) {
    if (TAIN_LIKELY(TakeReference(wrapper))) return Own(wrapper);
    if (!WaitForEnd(tries)) return Own(Recover(wrapper, object));
  }
  return Own();
}

PyObject* FreeWrap(TainObject* object) noexcept {
  if (TAIN_UNLIKELY(!HasPrefix(object) || object->type_index < kTainDynObjectBegin)) return nullptr;
  const uintptr_t tie = LoadTie(object);
  if (tie == 0) {
    const ClassRecord* record = GetObjectsState().classes.Find(object->type_index);
    if (TAIN_UNLIKELY(record == nullptr || record->type->tp_dealloc != &InstanceDealloc)) {
      return nullptr;
    }
    PyObject* self = NewEmpty(record->type);
    if (TAIN_UNLIKELY(self == nullptr)) {
      PyErr_Clear();
      return nullptr;
    }
    if (TAIN_LIKELY(Attach(AsInstance(self), object))) return self;
    Py_DECREF(self);
    return nullptr;
  }
  if ((tie & kTainTieOwnsWrapper) != 0) return nullptr;
  auto* wrapper = reinterpret_cast<PyObject*>(tie & ~uintptr_t{kTainTieMask});
  // The wrapper may be dead, and its memory another object's. It stays memory of objects as long as this
  // thread is attached: CPython itself reads references without a lock in this way.
  if (TAIN_UNLIKELY(!TakeReference(wrapper))) return nullptr;
  if (TAIN_LIKELY(LoadTie(object) == tie)) {
    internal::DecRef(object);
    return wrapper;
  }
  Py_DECREF(wrapper);
  return nullptr;
}
#endif

/// Returns the module of tain's for which an object of another library stands (TainModuleOperations),
/// with the reference that `object` had; null, and changes nothing, if it stands for none.
TAIN_COLD static TainObject* BehindDressed(TainObject* object) noexcept {
  const TainModuleOperations* operations = TainGetModuleOperations();
  if (HasPrefix(object) || operations == nullptr) return nullptr;
  TainObject* own = operations->undress(object);
  if (own == nullptr) return nullptr;
  internal::IncRef(own);
  internal::DecRef(object);
  return own;
}

PyObject* Wrap(TainObject* object) noexcept {
  [[maybe_unused]] int tries = 0;
  for (uintptr_t tie = LoadTie(object); tie != 0; tie = LoadTie(object)) {
    auto* wrapper = reinterpret_cast<PyObject*>(tie & ~uintptr_t{kTainTieMask});
    if (TAIN_UNLIKELY((tie & kTainTieOwnsWrapper) != 0)) {
      if (WakeWith(object)) return wrapper;
    }
    if (TAIN_LIKELY(TakeReference(wrapper))) {
      internal::DecRef(object);
      return wrapper;
    }
#ifdef Py_GIL_DISABLED
    if (!WaitForEnd(tries++)) {
      Recover(wrapper, object);
      internal::DecRef(object);
      return wrapper;
    }
#endif
  }
  if (TAIN_UNLIKELY(object->type_index == kTainModule)) {
    if (TainObject* own = BehindDressed(object)) return Wrap(own);
  }
  PyTypeObject* type = ClassOf(object->type_index);
  if (TAIN_UNLIKELY(type == nullptr)) {
    internal::DecRef(object);
    return nullptr;
  }
  return NewWrapper(type, object);
}

// Dropping the reference ends both, unless __del__ keeps them alive.
void ReleaseWrapper(void* wrapper) noexcept { ReleasePython(static_cast<PyObject*>(wrapper)); }

}  // namespace tain::bindings
