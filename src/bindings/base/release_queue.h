// SPDX-License-Identifier: Apache-2.0
// Work that a thread without the GIL leaves to a thread that holds it. So no thread waits for the
// GIL only to drop a reference.
#pragma once

#include "base/state.h"

namespace tain::bindings {

/// Runs `run(data)` soon in a thread that holds the GIL: in a pending call or in the next call of
/// the bridge. While the interpreter shuts down it does nothing; Python references are then leaked
/// on purpose.
void Later(void (*run)(void*), void* data) noexcept;
/// Whether work is waiting.
inline bool ReleasedWait() noexcept {
  return GetState().released.load(std::memory_order_relaxed) != nullptr;
}
void DrainReleasedSlow() noexcept;
/// Runs the waiting work. Every entry into the bridge calls this.
inline void DrainReleased() noexcept {
  if (TAIN_UNLIKELY(ReleasedWait())) DrainReleasedSlow();
}
/// Drops a Python reference from any thread.
void ReleasePython(PyObject* object) noexcept;

}  // namespace tain::bindings
