// SPDX-License-Identifier: Apache-2.0
// The only GIL operations of the bridge.
//
// Up to Python 3.13 a daemon thread that re-takes the GIL while the interpreter shuts down is ended
// by a forced unwind, which noexcept and catch (...) turn into an abort. So before it would wait
// for the GIL a thread asks whether the interpreter is finalizing, and parks for ever if it is. A
// forced unwind that begins in Python code which C++ called parks where it would end the process:
// in the terminate handler.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether this thread holds the GIL.
bool HoldsGil() noexcept;
/// Whether the interpreter is shutting down or gone: Python objects must not be touched from C++
/// threads any more.
bool Finalizing() noexcept;

/// Puts the handler of forced unwinds before the process's own.
void InstallTerminateHandler() noexcept;

/// Releases the GIL for a scope.
class ReleaseGil {
 public:
  ReleaseGil() noexcept;
  ~ReleaseGil();
  ReleaseGil(const ReleaseGil&) = delete;
  ReleaseGil& operator=(const ReleaseGil&) = delete;

 private:
  PyThreadState* state_;
};

/// Takes the GIL for a scope, from any thread. Parks the thread for ever if the interpreter is
/// gone.
class TakeGil {
 public:
  TakeGil() noexcept;
  ~TakeGil();
  TakeGil(const TakeGil&) = delete;
  TakeGil& operator=(const TakeGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace tain::bindings
