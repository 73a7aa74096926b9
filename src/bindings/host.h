// SPDX-License-Identifier: Apache-2.0
// What the bridge gives to the core: overrides, signals, repr of Python values.
#pragma once

#include "error.h"
#include "gil.h"

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

/// Installs the hooks; throws nb::python_error.
void InitHost();

}  // namespace tain::bindings
