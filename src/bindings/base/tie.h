// SPDX-License-Identifier: Apache-2.0
// The tie between a C++ object and its Python mirror: the words on both sides, and who is whose.
// How they change is told in instance.h.
#pragma once

#include <atomic>

#include "base/py.h"

namespace tain::bindings {

/// The wrapper: two words after the head of every Python object, whose size is CPython's.
struct Instance {
  PyObject ob_base;
  uintptr_t word;      ///< the object's address with InstanceBits; see above
  PyObject* weaklist;  ///< weak references
};
static_assert(sizeof(Instance) == sizeof(PyObject) + 2 * sizeof(void*));

enum InstanceBits : uintptr_t {
  kInstanceAsk = 1,    ///< the object must not be used before ObjectOf was asked
  kInstanceDying = 2,  ///< the tie does not lead here any more; always with kInstanceAsk
  kInstanceMask = 7
};

// Classes are known by what ends their instances (instance_death.cc).
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
/// Where the tie of an object is: in its prefix, or for an object that others made in libtain's
/// table; null if that has none, because it was never tied.
inline uintptr_t* TieWordOf(const TainObject* object) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) return &TainObjectPrefixOf(object)->tie;
  return TainForeignTie(const_cast<TainObject*>(object), 0);
}
/// The tie of an object that has one.
inline std::atomic_ref<uintptr_t> TieOf(const TainObject* object) noexcept {
  return std::atomic_ref<uintptr_t>(*TieWordOf(object));
}
/// The tie's content; 0 if there is none.
inline uintptr_t LoadTie(const TainObject* object) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) {
    return std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie)
        .load(std::memory_order_acquire);
  }
  uintptr_t* word = TieWordOf(object);
  if (word == nullptr) return 0;
  return std::atomic_ref<uintptr_t>(*word).load(std::memory_order_acquire);
}
inline int32_t StrongCount(const TainObject* object) noexcept {
  return static_cast<int32_t>(
      std::atomic_ref<uint64_t>(const_cast<uint64_t&>(object->combined_ref_count))
          .load(std::memory_order_acquire) &
      internal::kStrongMask);
}

/// The object of an instance that is ready; null, without an error, if one of the next two must be
/// asked.
inline TainObject* ReadyObject(PyObject* instance) noexcept {
  const uintptr_t word = AsInstance(instance)->word;
  if (TAIN_UNLIKELY((word & kInstanceAsk) != 0)) return nullptr;
#if defined(__GNUC__)
  if (word == 0) __builtin_unreachable();  // so that callers' comparison with null costs nothing
#endif
  return reinterpret_cast<TainObject*>(word);
}
/// Whether an instance has no object: never initialized, or moved away.
inline bool IsEmpty(PyObject* instance) noexcept {
  return (AsInstance(instance)->word & ~uintptr_t{kInstanceMask}) == 0;
}
/// Whether an object is certain to have no live mirror.
inline bool IsFresh(const TainObject* object) noexcept {
  return HasPrefix(object) && TieOf(object).load(std::memory_order_acquire) == 0;
}
/// The live mirror as a borrowed reference, or null.
PyObject* LiveMirror(const TainObject* object) noexcept;
/// Sets the tie of an object; null unties it.
void SetTie(TainObject* object, PyObject* mirror) noexcept;
/// The generated class that a class is or derives from.
PyTypeObject* GeneratedBase(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
