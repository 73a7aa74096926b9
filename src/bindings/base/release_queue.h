// SPDX-License-Identifier: Apache-2.0
// Work that a thread without the GIL leaves to a thread that holds it. So no thread waits for the
// GIL only to drop a reference.
#pragma once

#include "base/hooks.h"
#include "base/state.h"

namespace tain::bindings {

/// Runs `run(data)` soon in a thread that holds the GIL: in a pending call or in the next call of
/// the bridge. While the interpreter shuts down it does nothing; Python references are then leaked
/// on purpose.
void Later(void (*run)(void*), void* data) noexcept;
/// Whether a generated class has changed that is watched by its version tag (replaced_members.h).
inline bool WatchedChanged() noexcept {
#if PY_VERSION_HEX < 0x030C0000
  const auto& replaced = GetState().replaced;
  if (TAIN_UNLIKELY(*replaced.first_tag == 0)) return true;
  if (TAIN_LIKELY(!replaced.has_more_tags)) return false;
  for (const unsigned int* tag : replaced.tags) {
    if (TAIN_UNLIKELY(*tag == 0)) return true;
  }
#endif
  return false;
}
/// Looks at the changed classes, if there are any.
inline void UpdateIfWatchedChanged() noexcept {
  if (TAIN_UNLIKELY(WatchedChanged())) GetHooks().update_replaced();
}
/// Whether work is waiting.
inline bool ReleasedWait() noexcept {
  return GetState().released.load(std::memory_order_relaxed) != nullptr || WatchedChanged();
}
void DrainReleasedSlow() noexcept;
/// Runs the waiting work. Every entry into the bridge calls this.
inline void DrainReleased() noexcept {
  if (TAIN_UNLIKELY(ReleasedWait())) DrainReleasedSlow();
}
/// Drops a Python reference from any thread.
void ReleasePython(PyObject* object) noexcept;

}  // namespace tain::bindings
