// SPDX-License-Identifier: Apache-2.0
// The lock of the bridge; see bridge_lock.h.
#include "base/bridge_lock.h"

#if defined(Py_GIL_DISABLED) && !defined(_WIN32)
#include <pthread.h>
#endif

namespace tain::bindings {
#ifdef Py_GIL_DISABLED
namespace {

/// Whether one of the calling thread's sections holds the lock.
bool HoldsLock() noexcept {
  constexpr uintptr_t kSuspended = 1, kTwo = 2;  // CPython's tags of a section's address
  const PyMutex* lock = &GetState().lock->ob_mutex;
  const PyThreadState* thread = PyThreadState_GetUnchecked();
  uintptr_t tagged = thread == nullptr ? 0 : thread->critical_section;
  while (tagged != 0) {
    const auto* section =
        reinterpret_cast<const PyCriticalSection2*>(tagged & ~(kSuspended | kTwo));
    const bool has_it = section->_cs_base._cs_mutex == lock ||
                        ((tagged & kTwo) != 0 && section->_cs_mutex2 == lock);
    if (has_it && (tagged & kSuspended) == 0) return true;
    tagged = section->_cs_base._cs_prev;
  }
  return false;
}

/// Frees the lock if another thread holds it, which never goes on.
void FreeUnlessHeld() noexcept {
  if (HoldsLock()) return;
  std::atomic_ref<uint8_t>(GetState().lock->ob_mutex._bits).store(0, std::memory_order_relaxed);
}

}  // namespace

// When CPython ends, it stops all threads but one, and they never go on; after a fork() the child has
// but one. CPython stops them where they hold no lock. But one of them may be waking up with the lock,
// because an unlock has handed it over.
void FreeLostLock() noexcept {
  if (Py_IsFinalizing() != 0) FreeUnlessHeld();
}

void InitBridgeLock() {
  if (GetState().lock != nullptr) return;
  GetState().lock = Checked(PyList_New(0)).release().ptr();
#if !defined(_WIN32)
  pthread_atfork(nullptr, nullptr, &FreeUnlessHeld);
#endif
}

#endif
}  // namespace tain::bindings
