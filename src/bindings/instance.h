// SPDX-License-Identifier: Apache-2.0
// The Python mirror of a C++ object: memory, the tie between the two, who owns whom, and death.
//
// An Instance normally owns one strong reference to its object, and the object's tie word points
// back. When Python drops its last reference while C++ still holds the object and somebody could
// tell a new mirror from the old, ownership flips: the object owns the mirror, the mirror owns
// nothing. Only code that holds the GIL changes a tie.
#pragma once

#include "py.h"

namespace tain::bindings {

/// The wrapper: 32 bytes.
struct Instance {
  PyObject_HEAD TainObject* object;  ///< null before __init__ and after _move()
  PyObject* weaklist;                ///< weak references
};
static_assert(sizeof(Instance) == 32);

/// tp_dealloc of every generated class.
void InstanceDealloc(PyObject* self);
/// tp_dealloc of every Python subclass.
void SubclassDealloc(PyObject* self);

/// Whether a Python object is an Instance. Every class of Instances has one of the two deallocs,
/// because tp_new puts it there before the first instance exists.
inline bool IsInstance(PyObject* object) noexcept {
  const destructor dealloc = Py_TYPE(object)->tp_dealloc;
  return dealloc == &InstanceDealloc || dealloc == &SubclassDealloc;
}
inline Instance* AsInstance(PyObject* object) noexcept {
  return reinterpret_cast<Instance*>(object);  // checked by IsInstance
}
inline bool HasPrefix(const TainObject* object) noexcept {
  return (object->reserved & kTainHeaderHasPrefix) != 0;
}
inline std::atomic_ref<uintptr_t> TieOf(const TainObject* object) noexcept {
  return std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie);
}
inline int32_t StrongCount(const TainObject* object) noexcept {
  return static_cast<int32_t>(
      std::atomic_ref<uint64_t>(const_cast<uint64_t&>(object->combined_ref_count))
          .load(std::memory_order_acquire) &
      internal::kStrongMask);
}

/// The object of an instance, or null with an error set if it is empty: never initialized, or moved
/// away.
TainObject* ObjectOf(PyObject* instance) noexcept;
/// Sets the error for an empty instance.
void SetEmptyError(PyObject* instance) noexcept;

/// The Python object of a C++ object: the live mirror, or a new one. Takes over one strong
/// reference of `object`; null with an error set if it cannot be made.
PyObject* Wrap(TainObject* object) noexcept;
/// The same for an object that has no live mirror, and whose class is known.
PyObject* NewMirror(PyTypeObject* type, TainObject* object) noexcept;
/// Whether an object is certain to have no live mirror.
inline bool IsFresh(const TainObject* object) noexcept {
  return HasPrefix(object) && TieOf(object).load(std::memory_order_acquire) == 0;
}
/// The live mirror as a borrowed reference, or null.
PyObject* LiveMirror(const TainObject* object) noexcept;
/// Makes `instance`, which is empty, the mirror of `object` and takes over one strong reference.
void Attach(Instance* instance, TainObject* object) noexcept;
/// Unties and returns the object with the strong reference that the instance had; null if it was
/// empty.
TainObject* Detach(Instance* instance) noexcept;
/// Notes that an instance has another class (`__class__` was assigned; CPython lets only Python
/// subclasses take each other's place).
void NoteNewClass(Instance* instance) noexcept;
/// A new empty instance of a class.
PyObject* NewEmpty(PyTypeObject* type) noexcept;
/// Gives Python subclasses tain's dealloc: the class and every class between it and the generated
/// one.
void AdoptSubclass(PyTypeObject* type) noexcept;
/// The generated class that a class is or derives from.
PyTypeObject* GeneratedBase(PyTypeObject* type) noexcept;

/// Host hook: the object owned its mirror and died; it was revived with one reference for us.
void ReleaseMirror(TainObject* object) noexcept;
/// Live mirrors (instances tied to an object), for tests.
int64_t LiveInstances() noexcept;

}  // namespace tain::bindings
