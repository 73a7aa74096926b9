// SPDX-License-Identifier: Apache-2.0
// Runs what the core calls with the GIL held, and hands its exceptions to the core.
#pragma once

#include "base/error.h"
#include "base/gil.h"

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

}  // namespace tain::bindings
