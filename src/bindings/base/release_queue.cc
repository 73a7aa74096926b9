// SPDX-License-Identifier: Apache-2.0
// The lock-free list of work for the GIL's holder; see release_queue.h.
#include "base/release_queue.h"

#include "base/bridge_lock.h"
#include "base/gil.h"

namespace tain::bindings {

struct ReleaseEntry {
  void (*run)(void*);
  void* data;
  ReleaseEntry* next;
};

void DrainReleasedSlow() noexcept {
  ReleaseEntry* entry = GetState().released.exchange(nullptr, std::memory_order_acq_rel);
  while (entry != nullptr) {
    ReleaseEntry* next = entry->next;
    entry->run(entry->data);
    delete entry;
    entry = next;
  }
  UpdateIfWatchedChanged();
}

void Later(void (*run)(void*), void* data) noexcept {
  if (Finalizing()) return;
  auto* entry = new (std::nothrow) ReleaseEntry{run, data, nullptr};
  if (entry == nullptr) return;  // without memory the reference is leaked
  auto& head = GetState().released;
  entry->next = head.load(std::memory_order_relaxed);
  while (!head.compare_exchange_weak(entry->next, entry, std::memory_order_acq_rel)) {
  }
  if (entry->next == nullptr) {
    Py_AddPendingCall(
        [](void*) {
          const BridgeLock lock;
          DrainReleased();
          return 0;
        },
        nullptr);
  }
}

void ReleasePython(PyObject* object) noexcept {
  if (object == nullptr) return;
  if (HoldsGil()) {
    Py_DECREF(object);
  } else {
    Later([](void* data) { Py_DECREF(static_cast<PyObject*>(data)); }, object);
  }
}

}  // namespace tain::bindings
