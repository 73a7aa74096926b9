// SPDX-License-Identifier: Apache-2.0
// The tie between a C++ object and its wrapper: one word on each side, which lead to the other side
// and say who owns whom. instance.h explains how they change.
#pragma once

#include <atomic>

#include "base/py.h"

namespace tain::bindings {

#ifdef Py_GIL_DISABLED
/// The word of a wrapper. Only who has the lock of the bridge changes it, or has the wrapper alone, but
/// others look at it meanwhile.
class WrapperWord {
 public:
  operator uintptr_t() const noexcept { return Place().load(std::memory_order_acquire); }
  uintptr_t operator=(uintptr_t value) noexcept {
    Place().store(value, std::memory_order_release);
    return value;
  }
  uintptr_t operator|=(uintptr_t bits) noexcept { return *this = *this | bits; }
  uintptr_t operator&=(uintptr_t bits) noexcept { return *this = *this & bits; }

 private:
  std::atomic_ref<uintptr_t> Place() const noexcept {
    return std::atomic_ref<uintptr_t>(const_cast<uintptr_t&>(value_));
  }
  uintptr_t value_;
};
#else
using WrapperWord = uintptr_t;
#endif

/// A wrapper: two words after the header of a Python object, whose size CPython defines.
struct Instance {
  PyObject ob_base;
  WrapperWord word;    ///< the address of the object, with InstanceBits
  PyObject* weaklist;  ///< weak references
};
static_assert(sizeof(Instance) == sizeof(PyObject) + 2 * sizeof(void*));

/// A word of zeros is a wrapper without object, because some libraries make objects of any class by
/// its tp_alloc alone.
enum InstanceBits : uintptr_t {
  kInstanceReady = 1,  ///< the object may be used at once; without it, ObjectOf must be called
  kInstanceDying = 2,  ///< the object's tie no longer leads here; never with kInstanceReady
  kInstanceMoved = 4,  ///< empty because of _move(); never with kInstanceReady
  kInstanceMask = 7
};

// The tp_dealloc of a class tells whether its objects are Instances (instance_death.cc).
/// tp_dealloc of every generated class.
void InstanceDealloc(PyObject* self);
/// tp_dealloc of every Python subclass.
void SubclassDealloc(PyObject* self);

/// Whether a Python object is an Instance. Every class of Instances has one of the two tp_dealloc
/// functions, because tp_new sets it before the first wrapper exists.
inline bool IsWrapper(PyObject* object) noexcept {
  const destructor dealloc = Py_TYPE(object)->tp_dealloc;
  return dealloc == &InstanceDealloc || dealloc == &SubclassDealloc;
}
inline Instance* AsInstance(PyObject* object) noexcept {
  return reinterpret_cast<Instance*>(object);  // checked by IsWrapper
}
/// Whether weak references lead to a wrapper. Other threads may be dropping them.
inline bool HasWeakReferences(PyObject* wrapper) noexcept {
#ifdef Py_GIL_DISABLED
  return std::atomic_ref<PyObject*>(AsInstance(wrapper)->weaklist)
             .load(std::memory_order_acquire) != nullptr;
#else
  return AsInstance(wrapper)->weaklist != nullptr;
#endif
}
inline bool HasPrefix(const TainObject* object) noexcept {
  return (TainObjectWordOf(object) & kTainHeaderHasPrefix) != 0;
}
/// Returns the place of an object's tie: its prefix, or an entry in libtain's table if another
/// library made the object. Null if the table has no entry, because the object was never tied.
inline uintptr_t* TieWordOf(const TainObject* object) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) return &TainObjectPrefixOf(object)->tie;
  return TainForeignTie(const_cast<TainObject*>(object), 0);
}
/// Takes a reference to the wrapper to which a tie leads; false if another thread has just dropped the
/// last one, which only a CPython without a GIL allows.
inline bool TakeReference(PyObject* wrapper) noexcept {
#if !defined(Py_GIL_DISABLED)
  (void)Py_NewRef(wrapper);
  return true;
#elif PY_VERSION_HEX >= 0x030E0000
  return PyUnstable_TryIncRef(wrapper) != 0;
#else
  // What CPython 3.14 has as PyUnstable_TryIncRef.
  if (TAIN_UNLIKELY(
          std::atomic_ref<uint32_t>(wrapper->ob_ref_local).load(std::memory_order_relaxed) ==
          _Py_IMMORTAL_REFCNT_LOCAL)) {
    return true;  // its references are not counted (NeverDies)
  }
  if (_Py_IsOwnedByCurrentThread(wrapper)) {
    (void)Py_NewRef(wrapper);
    return true;
  }
  const std::atomic_ref<Py_ssize_t> shared(wrapper->ob_ref_shared);
  Py_ssize_t count = shared.load(std::memory_order_relaxed);
  do {
    if (count == 0 || count == _Py_REF_MERGED) return false;
  } while (!shared.compare_exchange_weak(count, count + (Py_ssize_t{1} << _Py_REF_SHARED_SHIFT),
                                         std::memory_order_acq_rel));
  return true;
#endif
}
/// Lets TakeReference find out in other threads whether a new wrapper is alive.
inline void AllowTakeReference(PyObject* wrapper) noexcept {
#if !defined(Py_GIL_DISABLED)
  (void)wrapper;
#elif PY_VERSION_HEX >= 0x030E0000
  PyUnstable_EnableTryIncRef(wrapper);
#else
  const std::atomic_ref<Py_ssize_t> shared(wrapper->ob_ref_shared);
  Py_ssize_t count = shared.load(std::memory_order_relaxed);
  while ((count & _Py_REF_SHARED_FLAG_MASK) == 0 &&
         !shared.compare_exchange_weak(count, count | _Py_REF_MAYBE_WEAKREF,
                                       std::memory_order_acq_rel)) {
  }
#endif
}
/// The tie of an object. The object must have one.
inline std::atomic_ref<uintptr_t> TieOf(const TainObject* object) noexcept {
  return std::atomic_ref<uintptr_t>(*TieWordOf(object));
}
/// The content of the tie; 0 if the object has no tie.
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

/// Returns the object of a wrapper that is ready to use. Null, without an error, if ObjectOf must
/// be called instead.
inline TainObject* ReadyObject(PyObject* wrapper) noexcept {
  const uintptr_t word = AsInstance(wrapper)->word;
  if (TAIN_UNLIKELY((word & kInstanceReady) == 0)) return nullptr;
#if defined(__GNUC__)
  // So that callers' comparison with null costs nothing.
  if (word == kInstanceReady) __builtin_unreachable();
#endif
  return reinterpret_cast<TainObject*>(word - kInstanceReady);
}
#ifdef Py_GIL_DISABLED
/// Holds the lock of a wrapper's word, which is that of the Python object, for a scope in which no
/// Python code runs. Whoever takes the object away from a wrapper that Python may still use takes it
/// after the lock of the bridge, and looks at the wrapper again, because others may have run.
class WordLock : internal::NotCopied {
 public:
  explicit WordLock(PyObject* wrapper) noexcept { PyCriticalSection_Begin(&section_, wrapper); }
  ~WordLock() { PyCriticalSection_End(&section_); }

 private:
  PyCriticalSection section_;
};
/// Gives the object of a wrapper that is ready to use to `use`, which does a few instructions and calls
/// nothing of Python's; nobody takes the object away meanwhile. Returns false if the wrapper is not
/// ready. Needs no lock, but the caller must hold the wrapper. Without `kWaits` also if another thread
/// has the wrapper's lock.
template <bool kWaits = true, class Use>
inline bool UseReady(PyObject* wrapper, Use&& use) noexcept {
  const auto run = [&] {
    TainObject* object = ReadyObject(wrapper);
    if (TAIN_UNLIKELY(object == nullptr)) return false;
    use(object);
    return true;
  };
  constexpr uint8_t kFree = 0, kHeld = 1;  // CPython's bits; there is another one for waiters
  const std::atomic_ref<uint8_t> bits(wrapper->ob_mutex._bits);
  uint8_t expected = kFree;
  if (TAIN_UNLIKELY(!bits.compare_exchange_strong(expected, kHeld, std::memory_order_acquire))) {
    if constexpr (!kWaits) return false;
    const WordLock lock(wrapper);
    return run();
  }
  const bool done = run();
  expected = kHeld;
  if (TAIN_UNLIKELY(!bits.compare_exchange_strong(expected, kFree, std::memory_order_release))) {
    PyMutex_Unlock(&wrapper->ob_mutex);
  }
  return done;
}
/// Returns a new reference to the object of a wrapper that is ready to use; else null, without an
/// error. Needs no lock, but the caller must hold the wrapper.
inline TainObject* HoldReady(PyObject* wrapper) noexcept {
  TainObject* held = nullptr;
  UseReady(wrapper, [&](TainObject* object) {
    internal::IncRef(object);
    held = object;
  });
  return held;
}
/// HoldReady that does not wait: the caller keeps its locks, and whoever holds the wrapper for it.
inline TainObject* HoldReadyAtOnce(PyObject* wrapper) noexcept {
  TainObject* held = nullptr;
  UseReady<false>(wrapper, [&](TainObject* object) {
    internal::IncRef(object);
    held = object;
  });
  return held;
}
#else
class WordLock : internal::NotCopied {
 public:
  explicit WordLock(PyObject*) noexcept {}
};
#endif
inline uintptr_t ReadyWord(const TainObject* object) noexcept {
  return reinterpret_cast<uintptr_t>(object) | kInstanceReady;
}
/// Whether a wrapper has no object, because it was never initialized or its object was moved
/// away.
inline bool IsEmpty(PyObject* wrapper) noexcept {
  return (AsInstance(wrapper)->word & ~uintptr_t{kInstanceMask}) == 0;
}
/// Whether an object certainly has no living wrapper.
inline bool IsFresh(const TainObject* object) noexcept {
  return HasPrefix(object) && TieOf(object).load(std::memory_order_acquire) == 0;
}
/// Returns the living wrapper as a borrowed reference, or null.
PyObject* FindWrapper(const TainObject* object) noexcept;
/// Sets the tie of an object without prefix; null removes it.
void SetForeignTie(TainObject* object, PyObject* wrapper) noexcept;
/// Sets the tie of an object to a wrapper; null removes it.
inline void SetTie(TainObject* object, PyObject* wrapper) noexcept {
  if (TAIN_UNLIKELY(!HasPrefix(object))) return SetForeignTie(object, wrapper);
  std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie)
      .store(reinterpret_cast<uintptr_t>(wrapper), std::memory_order_release);
}
/// Sets the tie of an object that has no wrapper; false if another thread has made one just now, which
/// only a CPython without a GIL allows (FreeWrap).
inline bool ClaimTie(TainObject* object, PyObject* wrapper) noexcept {
#ifdef Py_GIL_DISABLED
  if (TAIN_LIKELY(HasPrefix(object))) {
    uintptr_t none = 0;
    return TieOf(object).compare_exchange_strong(none, reinterpret_cast<uintptr_t>(wrapper),
                                                 std::memory_order_acq_rel);
  }
#endif
  SetTie(object, wrapper);
  return true;
}
/// Returns the generated class of a class: the first one in its MRO, whose C++ type its objects
/// have. Null if the class is not tain's.
PyTypeObject* GeneratedBase(PyTypeObject* type) noexcept;
/// Returns the generated class from which CPython took the memory layout and the slots that it does
/// not look up by name, or null. With several bases, CPython may choose a parent of GeneratedBase.
PyTypeObject* LayoutBase(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
