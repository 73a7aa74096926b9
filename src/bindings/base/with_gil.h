// SPDX-License-Identifier: Apache-2.0
// Runs hooks of the core with the GIL held, and passes their exceptions to the core.
#pragma once

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/gil.h"

namespace tain::bindings {

/// Runs a hook with the GIL. Parks the thread if the interpreter is shutting down.
template <class F>
int WithGil(F&& body) noexcept {
  const auto locked = [&] {
    const BridgeLock lock;
    return GuardedForCore(body);
  };
  if (HoldsGil()) return locked();
  TakeGil gil;
  return locked();
}

/// The same, but raises RuntimeError instead of parking the thread if the interpreter is shutting
/// down.
template <class F>
int WithPython(F&& run) noexcept {
  if (!HoldsGil() && Finalizing()) {
    TainErrorSetRaisedFromCStr("RuntimeError", "the interpreter is shutting down");
    return -1;
  }
  return WithGil(run);
}

}  // namespace tain::bindings
