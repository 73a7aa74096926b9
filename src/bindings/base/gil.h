// SPDX-License-Identifier: Apache-2.0
// All GIL operations of the bridge.
//
// Up to Python 3.13, if a daemon thread tries to take the GIL while the interpreter shuts down,
// CPython ends the thread by a forced unwind; noexcept functions and catch (...) turn the unwind
// into an abort. So a thread first checks whether the interpreter is finalizing, and if so, parks
// for ever instead of waiting for the GIL. A forced unwind can also begin in Python code that C++
// called. The terminate handler parks such a thread, where the process would otherwise end.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether this thread holds the GIL.
bool HoldsGil() noexcept;
/// Whether the interpreter is shutting down or has ended. C++ threads must not touch Python objects
/// then.
bool Finalizing() noexcept;

/// Installs the terminate handler, which calls the previous handler for everything but forced unwinds,
/// and what a fork needs.
void InitGil() noexcept;

/// Runs functions of CPython that may run Python code, for a caller that owns nanobind's objects. If
/// the thread is ended meanwhile, it parks here; the unwind would drop those objects without the GIL.
template <class F>
auto ParkIfEnded(F&& run) noexcept {
  return run();
}

/// Releases the GIL if this thread holds it. Returns what RestoreGil takes; null if it does not.
void* ReleaseHeldGil() noexcept;
void RestoreGil(void* released) noexcept;
/// Takes the GIL in any thread. Returns what DropGil takes; null if the interpreter is shutting down
/// and this thread does not hold the GIL.
void* TakeGilUnlessEnding() noexcept;
void DropGil(void* taken) noexcept;

/// Releases the GIL, which this thread holds, for a scope.
class ReleaseGil : internal::NotCopied {
 public:
  ReleaseGil() noexcept : released_(PyEval_SaveThread()) {}
  ~ReleaseGil() { RestoreGil(released_); }

 private:
  void* released_;
};

/// Takes the GIL for a scope, in any thread. Parks the thread for ever if the interpreter has
/// ended.
class TakeGil : internal::NotCopied {
 public:
  TakeGil() noexcept;
  ~TakeGil() { DropGil(taken_); }

 private:
  void* taken_;
};

}  // namespace tain::bindings
