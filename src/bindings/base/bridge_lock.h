// SPDX-License-Identifier: Apache-2.0
// The lock of the bridge: what stands in the GIL's place in a CPython without one.
//
// All code of the bridge, and all C++ whose author did not say that it is thread-safe, was written
// for the GIL: nobody else runs until Python code does. A critical section on one object keeps this
// promise. Each function that Python calls (the slots and methods in the tables of classes, the
// functions of the module) and each hook that the core calls enters it, and it is left, as the GIL
// is, where Python lets other threads run: when a thread waits or blocks, and while a callback or an
// override of Python runs (BridgeUnlock). Threads that only read graphs share it (BridgeReading). With a
// GIL all of this is nothing.
#pragma once

#include <atomic>

#include "base/state.h"
#include "tain/internal/fast_tls.h"

namespace tain::bindings {

#ifdef Py_GIL_DISABLED

/// Makes the lock; throws nb::python_error.
void InitBridgeLock();

/// Returns the calling thread's section of the bridge if it is the innermost one and is not suspended;
/// else null. It must be attached.
inline PyCriticalSection* InnermostSection(
    PyThreadState* thread = PyThreadState_GetUnchecked()) noexcept {
  const uintptr_t top = thread->critical_section;
  // CPython's tags: the section is suspended; it is one of two mutexes.
  if (top == 0 || (top & 3) != 0) return nullptr;
  auto* section = reinterpret_cast<PyCriticalSection*>(top);
  return section->_cs_mutex == &GetState().lock->ob_mutex ? section : nullptr;
}

/// Frees the lock if the interpreter is ending and another thread holds it, which never goes on.
TAIN_COLD void FreeLostLock() noexcept;
/// Enters the lock.
inline void EnterBridge(PyCriticalSection* section) noexcept {
  const std::atomic_ref<uint8_t> bits(GetState().lock->ob_mutex._bits);
  if (TAIN_UNLIKELY(bits.load(std::memory_order_relaxed) != 0)) FreeLostLock();
  PyCriticalSection_Begin(section, GetState().lock);
}

/// Shares the lock with the other threads that do so, in a scope that only reads objects of C++. The
/// thread must not hold it. A BridgeLock inside of the scope leaves it until it ends: other threads may
/// then change what is read, as where Python code runs under a GIL.
class BridgeReading : internal::NotCopied {
 public:
  BridgeReading() noexcept { Begin(); }
  ~BridgeReading() { End(); }

  /// Whether the calling thread is in such a scope.
  static bool IsInside() noexcept { return is_inside; }
  static void Begin() noexcept;
  static void End() noexcept;

 private:
  static inline constinit TAIN_FAST_THREAD_LOCAL bool is_inside = false;
};

/// Holds the lock for a scope. The thread must be attached to the interpreter.
class BridgeLock : internal::NotCopied {
 public:
  BridgeLock() noexcept : is_entered_(InnermostSection() == nullptr) {
    if (!is_entered_) return;
    was_reading_ = BridgeReading::IsInside();
    if (TAIN_UNLIKELY(was_reading_)) BridgeReading::End();
    EnterBridge(&section_);
  }
  ~BridgeLock() {
    if (!is_entered_) return;
    PyCriticalSection_End(&section_);
    if (TAIN_UNLIKELY(was_reading_)) BridgeReading::Begin();
  }

 private:
  PyCriticalSection section_;
  bool is_entered_;
  bool was_reading_ = false;
};

/// Leaves the lock for a scope, in which Python code runs, if the thread holds it.
class BridgeUnlock : internal::NotCopied {
 public:
  BridgeUnlock() noexcept : section_(InnermostSection()) {
    if (section_ != nullptr) PyCriticalSection_End(section_);
  }
  ~BridgeUnlock() {
    if (section_ != nullptr) EnterBridge(section_);
  }

 private:
  PyCriticalSection* section_;
};

template <auto kFunction, class Type = decltype(kFunction)>
struct LockedCall;
template <auto kFunction, class R, class... Args>
struct LockedCall<kFunction, R (*)(Args...)> {
  static R Call(Args... args) {
    const BridgeLock lock;
    return kFunction(args...);
  }
};
template <auto kFunction, class R, class... Args>
struct LockedCall<kFunction, R (*)(Args...) noexcept> {
  static R Call(Args... args) noexcept {
    const BridgeLock lock;
    return kFunction(args...);
  }
};
/// A function for a table of CPython's: the same function, which runs with the lock held.
template <auto kFunction>
constexpr auto kLocked = &LockedCall<kFunction>::Call;

#else

inline void InitBridgeLock() {}
class BridgeLock : internal::NotCopied {
 public:
  BridgeLock() noexcept {}
};
class BridgeReading : internal::NotCopied {
 public:
  BridgeReading() noexcept {}
  static constexpr bool IsInside() noexcept { return false; }
};
class BridgeUnlock : internal::NotCopied {
 public:
  BridgeUnlock() noexcept {}
};
template <auto kFunction>
constexpr auto kLocked = kFunction;

#endif

/// The module, whose functions run with the lock held.
class CoreModule : public nb::module_ {
 public:
  using nb::module_::module_;
  CoreModule(const nb::module_& m) : nb::module_(m) {}
  template <class F, class... Extra>
  CoreModule& def(const char* name, F&& function, const Extra&... extra) {
#ifdef Py_GIL_DISABLED
    nb::module_::def(name, std::forward<F>(function), extra..., nb::call_guard<BridgeLock>());
#else
    nb::module_::def(name, std::forward<F>(function), extra...);
#endif
    return *this;
  }
  /// Defines a function that takes the lock itself where it needs it.
  template <class F, class... Extra>
  CoreModule& def_unlocked(const char* name, F&& function, const Extra&... extra) {
    nb::module_::def(name, std::forward<F>(function), extra...);
    return *this;
  }
};

/// A class made with nanobind, whose methods and properties run with the lock held.
template <class T>
class CoreClass : public nb::class_<T> {
 public:
  using nb::class_<T>::class_;
  template <class F, class... Extra>
  CoreClass& def(const char* name, F&& function, const Extra&... extra) {
#ifdef Py_GIL_DISABLED
    nb::class_<T>::def(name, std::forward<F>(function), extra..., nb::call_guard<BridgeLock>());
#else
    nb::class_<T>::def(name, std::forward<F>(function), extra...);
#endif
    return *this;
  }
  template <class F, class... Extra>
  CoreClass& def_prop_ro(const char* name, F&& getter, const Extra&... extra) {
#ifdef Py_GIL_DISABLED
    nb::class_<T>::def_prop_ro(name, std::forward<F>(getter), extra...,
                               nb::call_guard<BridgeLock>());
#else
    nb::class_<T>::def_prop_ro(name, std::forward<F>(getter), extra...);
#endif
    return *this;
  }
};

}  // namespace tain::bindings
