// SPDX-License-Identifier: Apache-2.0
// GIL operations; see gil.h.
#include "base/gil.h"

#if defined(__GLIBCXX__)
#include <cxxabi.h>
#endif
#if defined(__linux__)
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "base/state.h"
#include "tain/internal/fast_tls.h"

namespace tain::bindings {
namespace {

[[noreturn]] void Park() noexcept {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(24));
}

/// Runs code that waits for the GIL. A forced unwind of that code ends here.
template <class F>
void WaitForGil(F&& wait) noexcept {
  try {
    wait();
#if defined(__GLIBCXX__)
  } catch (abi::__forced_unwind&) {
    Park();
#endif
  } catch (...) {
    Park();
  }
}

#if PY_VERSION_HEX < 0x030C0000
/// Makes the state of a thread that CPython does not know yet. CPython holds a lock while it enters it,
/// but not the GIL, and before 3.12 a child that was forked meanwhile waits for that lock for ever. So
/// a fork waits for the lock here, which is free unless a state is entered.
void EnterThread() noexcept {
  if (TAIN_LIKELY(PyGILState_GetThisThreadState() != nullptr)) return;
  const std::lock_guard lock(GetState().entering_threads);
  // Where there is no memory, PyGILState_Ensure says so.
  PyThreadState* made = PyThreadState_New(PyInterpreterState_Main());
  if (made != nullptr)
    made->gilstate_counter = 0;  // so that the last PyGILState_Release deletes it
}

/// Returns PyThread_get_thread_ident(), without calling it if pthread_self is known to be the same.
unsigned long ThisThread() noexcept {
#if defined(__linux__)
  return pthread_self();
#else
  return PyThread_get_thread_ident();
#endif
}
#endif

/// Whether this thread will end the process; true if that is unknown.
bool IsMainThread() noexcept {
#if defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#elif defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return true;
#endif
}

/// Handles a forced unwind of CPython that met a noexcept function or a handler of the bridge. It
/// does not check who holds the GIL, because late in the shutdown CPython answers yes to every
/// thread.
[[noreturn]] void OnTerminate() noexcept {
  if (Finalizing() && !IsMainThread()) Park();
  if (GetState().previous_terminate != nullptr) GetState().previous_terminate();
  std::abort();
}

}  // namespace

void InitGil() noexcept {
  if (std::get_terminate() == &OnTerminate) return;  // an import that failed has come so far
  GetState().previous_terminate = std::set_terminate(&OnTerminate);
#if PY_VERSION_HEX < 0x030C0000 && !defined(_WIN32)
  pthread_atfork([] { GetState().entering_threads.lock(); },
                 [] { GetState().entering_threads.unlock(); },
                 [] { ::new (&GetState().entering_threads) std::mutex(); });
#endif
}

bool HoldsGil() noexcept {
  // From 3.12 on, the current state belongs to the thread. Before, it is the state of the thread
  // that holds the GIL, which is this thread if it is its own. PyGILState_Check does not tell: it
  // always answers yes once the process had a subinterpreter.
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked() != nullptr;
#elif PY_VERSION_HEX >= 0x030C0000
  return _PyThreadState_UncheckedGet() != nullptr;
#else
  PyThreadState* current = _PyThreadState_UncheckedGet();
  if (current == nullptr) return false;
  // A state that was seen before needs no look-up, unless another thread has reused its memory
  // since.
  constinit static TAIN_FAST_THREAD_LOCAL PyThreadState* seen = nullptr;
  if (TAIN_LIKELY(current == seen && current->thread_id == ThisThread())) return true;
  if (PyGILState_GetThisThreadState() != current) return false;
  seen = current;
  return true;
#endif
}

bool Finalizing() noexcept {
  if (!Py_IsInitialized()) return true;
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

TakeGil::TakeGil() noexcept : taken_(TakeGilUnlessEnding()) {
  if (taken_ == nullptr) Park();
}

void* ReleaseHeldGil() noexcept { return HoldsGil() ? PyEval_SaveThread() : nullptr; }
void RestoreGil(void* released) noexcept {
  if (released == nullptr) return;
  WaitForGil([&] { PyEval_RestoreThread(static_cast<PyThreadState*>(released)); });
}

// The result is the state of PyGILState_Ensure plus one, so that it is never null.
void* TakeGilUnlessEnding() noexcept {
  const bool is_held = HoldsGil();
  if (!is_held && Finalizing()) return nullptr;
  PyGILState_STATE state = PyGILState_UNLOCKED;
  WaitForGil([&] {
#if PY_VERSION_HEX < 0x030C0000
    if (!is_held) EnterThread();
#endif
    state = PyGILState_Ensure();
  });
  return reinterpret_cast<void*>(static_cast<uintptr_t>(state) + 1);
}
void DropGil(void* taken) noexcept {
  const auto state = static_cast<PyGILState_STATE>(reinterpret_cast<uintptr_t>(taken) - 1);
  WaitForGil([&] { PyGILState_Release(state); });
}

}  // namespace tain::bindings
