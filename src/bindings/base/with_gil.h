// SPDX-License-Identifier: Apache-2.0
// Runs what the core calls with the GIL held, and hands its exceptions to the core.
#pragma once

#include "base/error.h"
#include "base/gil.h"
#include "tain/error.h"

namespace tain::bindings {

/// Runs a hook with the GIL.
template <class F>
int WithGil(F&& body) noexcept {
  const auto guarded = [&]() noexcept {
    try {
      return body();
    } catch (nb::python_error& e) {
      e.restore();
      return SetCoreFromPython();
    } catch (...) {
      return TainErrorSetFromException();
    }
  };
  if (HoldsGil()) return guarded();
  TakeGil gil;
  return guarded();
}

/// The same in whatever thread the core asks, but for RuntimeError, where WithGil parks the thread,
/// once the interpreter shuts down.
template <class F>
int WithPython(F&& run) noexcept {
  try {
    if (HoldsGil()) return run();
    if (Finalizing()) TAIN_THROW(RuntimeError) << "the interpreter is shutting down";
    TakeGil gil;
    return run();
  } catch (...) {
    return TainErrorSetFromException();
  }
}

}  // namespace tain::bindings
