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
#include <thread>

#include "tain/internal/fast_tls.h"

namespace tain::bindings {
namespace {

[[noreturn]] void Park() noexcept {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(24));
}

/// Runs code that waits for the GIL; a forced unwind ends here.
template <class F>
void Guarded(F&& wait) noexcept {
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
/// PyThread_get_thread_ident, without a call through it where that is known to be this.
unsigned long ThisThread() noexcept {
#if defined(__linux__)
  return pthread_self();
#else
  return PyThread_get_thread_ident();
#endif
}
#endif

std::terminate_handler previous_terminate = nullptr;

/// Whether this is the thread that will end the process; true where that cannot be told.
bool IsMainThread() noexcept {
#if defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#elif defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return true;
#endif
}

/// A forced unwind of CPython's that met a noexcept function or a handler of ours. Who holds the
/// GIL is not asked: late in the shutdown CPython says yes to everyone.
[[noreturn]] void OnTerminate() noexcept {
  if (Finalizing() && !IsMainThread()) Park();
  if (previous_terminate != nullptr) previous_terminate();
  std::abort();
}

}  // namespace

void InstallTerminateHandler() noexcept { previous_terminate = std::set_terminate(&OnTerminate); }

bool HoldsGil() noexcept {
  // From 3.12 on the current state is the thread's own. Before, it is the state of whichever thread
  // holds the GIL, and PyGILState_Check tells whether that is this one; once the interpreter is
  // gone PyGILState_Check says yes to everyone, but then no state is current.
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked() != nullptr;
#elif PY_VERSION_HEX >= 0x030C0000
  return _PyThreadState_UncheckedGet() != nullptr;
#else
  PyThreadState* current = _PyThreadState_UncheckedGet();
  if (current == nullptr) return false;
  // A state seen before needs no look-up, as long as no other thread got its memory since.
  constinit static TAIN_FAST_THREAD_LOCAL PyThreadState* seen = nullptr;
  if (TAIN_LIKELY(current == seen && current->thread_id == ThisThread())) return true;
  if (PyGILState_Check() != 1) return false;
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

ReleaseGil::ReleaseGil() noexcept : state_(PyEval_SaveThread()) {}
ReleaseGil::~ReleaseGil() {
  Guarded([this] { PyEval_RestoreThread(state_); });
}

TakeGil::TakeGil() noexcept : state_(PyGILState_UNLOCKED) {
  if (!HoldsGil() && Finalizing()) Park();
  Guarded([this] { state_ = PyGILState_Ensure(); });
}
TakeGil::~TakeGil() {
  Guarded([this] { PyGILState_Release(state_); });
}

}  // namespace tain::bindings
