// SPDX-License-Identifier: Apache-2.0
// Work that a thread without the GIL leaves for one that has it: it never waits for the GIL to drop
// a reference.
#pragma once

#include <atomic>

#include "base/py.h"

namespace tain::bindings {

namespace internal_queue {
struct Entry;
extern std::atomic<Entry*> head;
void Drain() noexcept;
}  // namespace internal_queue

/// Runs `run(data)` soon in a thread that holds the GIL: by a pending call or by the next entry of
/// the bridge. Nothing happens once the interpreter is shutting down: what Python owned is leaked
/// on purpose.
void Later(void (*run)(void*), void* data) noexcept;
/// Whether anything waits.
inline bool ReleasedWait() noexcept {
  return internal_queue::head.load(std::memory_order_relaxed) != nullptr;
}
/// Runs what waits; called by every entry of the bridge.
inline void DrainReleased() noexcept {
  if (TAIN_UNLIKELY(ReleasedWait())) internal_queue::Drain();
}
/// Drops a Python reference from any thread.
void ReleasePython(PyObject* object) noexcept;

}  // namespace tain::bindings
