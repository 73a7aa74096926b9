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

std::atomic_ref<uint8_t> BitsOf(PyMutex* mutex) noexcept {
  return std::atomic_ref<uint8_t>(mutex->_bits);
}

/// Frees the lock if another thread holds it, which never goes on.
void FreeUnlessHeld() noexcept {
  if (HoldsLock() || BridgeReading::IsInside()) return;
  GetState().readers.store(0, std::memory_order_relaxed);
  for (PyMutex* mutex : {&GetState().lock->ob_mutex, &GetState().first_reader})
    BitsOf(mutex).store(0);
}

/// Joins the readers, if there are any and nobody waits to change something.
bool JoinReaders() noexcept {
  State& state = GetState();
  constexpr uint8_t kHasWaiters = 2;  // CPython's bit
  int32_t count = state.readers.load(std::memory_order_relaxed);
  // Whoever waits for the lock goes first, or readers that follow each other would keep it for ever.
  while (count > 0 && (BitsOf(&state.lock->ob_mutex).load() & kHasWaiters) == 0) {
    if (state.readers.compare_exchange_weak(count, count + 1, std::memory_order_acquire))
      return true;
  }
  return false;
}

}  // namespace

// When CPython ends, it stops all threads but one, and they never go on; after a fork() the child has
// but one. CPython stops them where they hold no lock. But one of them may be waking up with the lock,
// because an unlock has handed it over.
void FreeLostLock() noexcept {
  if (Py_IsFinalizing() != 0) FreeUnlessHeld();
}

// The readers hold the lock together: the first one takes it, and the last one gives it back. It is
// not held in a critical section, which ends when a thread is detached. Of threads that come at the same
// time one waits for the lock, the others for that one, so that a reader never waits for readers.
void BridgeReading::Begin() noexcept {
  State& state = GetState();
  if (!JoinReaders()) {
    if (BitsOf(&state.lock->ob_mutex).load() != 0 || BitsOf(&state.first_reader).load() != 0) {
      FreeLostLock();
    }
    PyMutex_Lock(&state.first_reader);
    if (!JoinReaders()) {
      PyMutex_Lock(&state.lock->ob_mutex);
      state.readers.store(1, std::memory_order_release);
    }
    PyMutex_Unlock(&state.first_reader);
  }
  is_inside = true;  // not before: FreeLostLock asks
}

void BridgeReading::End() noexcept {
  is_inside = false;
  State& state = GetState();
  if (state.readers.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    PyMutex_Unlock(&state.lock->ob_mutex);
  }
}

void InitBridgeLock() {
  if (GetState().lock != nullptr) return;
  GetState().lock = Checked(PyList_New(0)).release().ptr();
#if !defined(_WIN32)
  pthread_atfork(nullptr, nullptr, [] {
    State& state = GetState();
    // Whatever this thread holds, it is no reader that waits, and the others are gone.
    BitsOf(&state.first_reader).store(0);
    state.readers.store(BridgeReading::IsInside() ? 1 : 0, std::memory_order_relaxed);
    FreeUnlessHeld();
    state.is_forked = true;
  });
#endif
}

#endif
}  // namespace tain::bindings
