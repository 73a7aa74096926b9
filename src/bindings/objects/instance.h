// SPDX-License-Identifier: Apache-2.0
// The wrapper of a C++ object: its memory, the tie between the two, who owns whom, and its end.
//
// An Instance (the wrapper) and its object know each other: the wrapper's word holds the object's
// address, and the object's tie word holds the wrapper's address. One of the two owns the other:
//
//   state          wrapper's word    object's tie         who holds what
//   ready          object | kReady   wrapper              the wrapper one strong reference
//   asleep         object            wrapper | kOwns      the object one Python reference
//   handed back    object            wrapper              as ready, but nobody has noticed
//   dying          object | kDying   elsewhere, or 0      the wrapper one strong reference
//   empty          0 (or kMoved)     -                    nothing
//
// Transitions; all but the third need the GIL or the lock of the bridge (bridge_lock.h):
// - ready -> asleep: Python drops its last reference while C++ still holds the object, and a new
//   wrapper could be told from the old one (TryFlip).
// - asleep -> ready: code that has a strong reference clears kOwns. If kOwns was still set, the
//   code gives its strong reference to the wrapper and takes over the object's Python reference.
//   Wrap does this, and ObjectOf if Python reached the wrapper through a weak reference or the
//   garbage collector. No code may use the object of a wrapper that is not ready, because the
//   object could die meanwhile.
// - asleep -> handed back: a thread drops the last strong reference. It first increments the count
//   again, and then clears kOwns and gives its reference to the wrapper, without the GIL
//   (HandWrapperBack in src/ffi/memory/object_death.cc). Between its last decrement and that
//   increment the count is 0. So ObjectOf increments the count only if it is not 0, and else waits
//   for these few instructions, which take no lock.
// - ready -> dying: the wrapper ends, after __del__ and before any code runs that is not tain's
//   (callbacks of weak references, finalizers of what its __dict__ and slots hold). The tie is
//   removed, so code that reaches the object meanwhile makes a new wrapper.
//
// Cost: one bit distinguishes a ready wrapper from all other states, and replaces a comparison
// with null. In builds without a GIL another thread may drop the last reference to a wrapper at any
// time; it waits for the lock before it ends the wrapper. So whoever follows a tie takes a reference
// only if there still is one (TakeReference), or waits (HoldWrapper). If that thread never goes on, since
// it was left behind by fork() or the interpreter ends, the wrapper lives on in the thread that waits.
#pragma once

#include "base/tie.h"

namespace tain::bindings {

TainObject* ObjectOfSlow(PyObject* wrapper) noexcept;
TainObject* ObjectOrNullSlow(PyObject* wrapper) noexcept;
/// Returns the object of a wrapper and makes the wrapper ready. Null with an error set if the
/// wrapper is empty: never initialized, or moved away.
inline TainObject* ObjectOf(PyObject* wrapper) noexcept {
  TainObject* object = ReadyObject(wrapper);
  return TAIN_LIKELY(object != nullptr) ? object : ObjectOfSlow(wrapper);
}
/// The same, but sets no error.
inline TainObject* ObjectOrNull(PyObject* wrapper) noexcept {
  TainObject* object = ReadyObject(wrapper);
  return TAIN_LIKELY(object != nullptr) ? object : ObjectOrNullSlow(wrapper);
}
/// Returns the object that a wrapper owns, or null. Changes nothing, so the garbage collector may
/// call it.
TainObject* OwnedObjectOf(PyObject* wrapper) noexcept;
/// Sets the error of an empty wrapper, which says whether its object was moved away.
void SetEmptyError(PyObject* wrapper) noexcept;

/// Returns the wrapper of a C++ object: the living one, or a new one. Takes over one strong
/// reference of `object`; null with an error set if no wrapper can be made.
PyObject* Wrap(TainObject* object) noexcept;
/// The same for a borrowed object. Its count does not change if its wrapper is ready.
inline PyObject* WrapBorrowed(TainObject* object) noexcept {
  const uintptr_t tie = LoadTie(object);
  if (TAIN_LIKELY(tie != 0 && (tie & kTainTieOwnsWrapper) == 0)) {
    auto* wrapper = reinterpret_cast<PyObject*>(tie & ~uintptr_t{kTainTieMask});
    if (TAIN_LIKELY(TakeReference(wrapper))) return wrapper;
  }
  internal::IncRef(object);
  return Wrap(object);
}
/// Returns the living wrapper of an object; null if it has none. A wrapper whose last reference another
/// thread has just dropped is waited for: it may live on.
#ifdef Py_GIL_DISABLED
Own HoldWrapper(const TainObject* object) noexcept;
#else
inline Own HoldWrapper(const TainObject* object) noexcept {
  return Own::Share(FindWrapper(object));
}
#endif
/// Makes the wrapper of an object that has none and whose class is known. Takes over one strong
/// reference of `object`.
PyObject* NewWrapper(PyTypeObject* type, TainObject* object) noexcept;
#ifdef Py_GIL_DISABLED
/// Wrap without the lock of the bridge, for objects of registered classes. Null, without an error or any
/// effect, if that needs the lock.
PyObject* FreeWrap(TainObject* object) noexcept;
#endif
/// Makes the empty `instance` the wrapper of `object`, and takes over one strong reference. False,
/// without any effect, if another thread has made a wrapper of it just now (FreeWrap).
bool Attach(Instance* instance, TainObject* object) noexcept;
/// The same if the set of overrides of the wrapper's class is known: 0 if Python code did not write it.
bool AttachKnown(Instance* instance, TainObject* object, uint32_t set) noexcept;
/// The same in place of the object that the wrapper has, which `old` gets with the wrapper's reference;
/// null if the wrapper was empty. Call CheckUnused (in_flight.h) first.
bool Exchange(Instance* instance, TainObject* object, TainObject** old) noexcept;
/// Unties the object and returns it with the strong reference of the wrapper; null if the wrapper
/// was empty. Call CheckUnused (in_flight.h) first.
TainObject* Detach(Instance* instance) noexcept;
/// The same for an object that is moved away.
TainObject* DetachMoved(Instance* instance) noexcept;
/// Unties a wrapper that is about to die. It keeps its reference to the object. It may be empty.
void BeginDying(Instance* instance) noexcept;
/// Drops what the slots and the `__dict__` of a Python subclass's wrapper hold.
void ClearState(PyObject* self) noexcept;
/// Updates the records after a wrapper got another class (`__class__` was assigned, which CPython
/// allows between Python subclasses only).
void NoteNewClass(Instance* instance) noexcept;
/// Returns a new empty wrapper of a class.
PyObject* NewEmpty(PyTypeObject* type) noexcept;
/// A hook of the host, called when an object that owned its wrapper has died and was revived. It
/// takes over the object's reference to the wrapper.
void ReleaseWrapper(void* wrapper) noexcept;

/// Hands a wrapper to the collector, if its class takes part and the collector does not have it.
void Track(PyObject* self) noexcept;
/// Whether this thread is handing a wrapper to the collector: a debug CPython then visits what the
/// wrapper refers to, to check it.
#ifdef Py_DEBUG
bool IsTracking() noexcept;
#else
constexpr bool IsTracking() noexcept { return false; }
#endif

}  // namespace tain::bindings
