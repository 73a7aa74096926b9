// SPDX-License-Identifier: Apache-2.0
// The Python mirror of a C++ object: memory, the tie between the two, who owns whom, and death.
//
// An Instance (the mirror) and its object know each other: the instance's word holds the object's
// address, the object's tie word the instance's. One of the two owns the other:
//
//   state          instance's word   object's tie          who holds what
//   ready          object            instance              the instance one strong reference
//   asleep         object | kAsk     instance | kOwns      the object one Python reference
//   handed back    object | kAsk     instance              as ready, but nobody has noticed
//   dying          object | kDying   elsewhere, or 0       the instance one strong reference
//   empty          kAsk              -                     nothing
//
// Transitions, all but the third with the GIL held:
// - ready -> asleep: Python drops its last reference while C++ still holds the object, and somebody
//   could tell a new mirror from the old (TryFlip).
// - asleep -> ready: whoever has a strong reference, clears kOwns and finds that it was set, gives
//   that reference to the instance and gets the object's Python reference. That is Wrap, and
//   ObjectOf when Python reached the instance by a weak reference or through the collector. Nobody
//   uses an object through an instance that is not ready: the object could die meanwhile.
// - asleep -> handed back: a thread drops the last strong reference. It counts the object up again
//   before anything else, and then does the same as the others, without the GIL: it owns a strong
//   reference and clears kOwns (HandMirrorBack in src/ffi/object_memory.cc). Between its last
//   decrement and that increment the count is 0: ObjectOf counts up from nonzero only, and waits
//   for the few instructions that take no lock.
// - ready -> dying: the instance's end, after __del__ and before anything else runs that is not
//   ours: callbacks of weak references, finalizers of what its __dict__ and slots hold. The tie is
//   gone, so whoever reaches the object meanwhile makes a new mirror.
//
// What costs: an instance that is ready is told from all others by one bit, in place of a
// comparison with null. In builds without a GIL, who ends or wakes an instance or takes a reference
// to it through the tie will hold kTainTieLock meanwhile; the third transition needs no lock.
#pragma once

#include "base/tie.h"

namespace tain::bindings {

TainObject* ObjectOfSlow(PyObject* instance) noexcept;
TainObject* ObjectOrNullSlow(PyObject* instance) noexcept;
/// The object of an instance, which is ready then; null with an error set if it is empty: never
/// initialized, or moved away.
inline TainObject* ObjectOf(PyObject* instance) noexcept {
  TainObject* object = ReadyObject(instance);
  return TAIN_LIKELY(object != nullptr) ? object : ObjectOfSlow(instance);
}
/// The same without an error.
inline TainObject* ObjectOrNull(PyObject* instance) noexcept {
  TainObject* object = ReadyObject(instance);
  return TAIN_LIKELY(object != nullptr) ? object : ObjectOrNullSlow(instance);
}
/// The object that an instance owns, null if there is none. Changes nothing, so that the garbage
/// collector may ask.
TainObject* OwnedObjectOf(PyObject* instance) noexcept;
/// Sets the error for an empty instance.
void SetEmptyError(PyObject* instance) noexcept;

/// The Python object of a C++ object: the live mirror, or a new one. Takes over one strong
/// reference of `object`; null with an error set if it cannot be made.
PyObject* Wrap(TainObject* object) noexcept;
/// The same for an object that has no live mirror, and whose class is known.
PyObject* NewMirror(PyTypeObject* type, TainObject* object) noexcept;
/// Makes `instance`, which is empty, the mirror of `object` and takes over one strong reference.
void Attach(Instance* instance, TainObject* object) noexcept;
/// Unties and returns the object with the strong reference that the instance had; null if it was
/// empty. CheckUnused (in_flight.h) comes first.
TainObject* Detach(Instance* instance) noexcept;
/// Unties an instance that is about to die and keeps its reference; it may be empty.
void BeginDying(Instance* instance) noexcept;
/// Notes that an instance has another class (`__class__` was assigned; CPython lets only Python
/// subclasses take each other's place).
void NoteNewClass(Instance* instance) noexcept;
/// A new empty instance of a class.
PyObject* NewEmpty(PyTypeObject* type) noexcept;
/// Host hook: the object owned its mirror and died; it was revived, and its reference to the mirror
/// is ours.
void ReleaseMirror(void* mirror) noexcept;
/// Live mirrors (instances tied to an object), for tests.
int64_t LiveInstances() noexcept;

}  // namespace tain::bindings
