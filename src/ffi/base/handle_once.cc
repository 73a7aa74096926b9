// SPDX-License-Identifier: Apache-2.0
// Initializes a handle once. No lock is held while the maker runs.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/fork.h"
#include "base/guard.h"
#include "base/unlocked_call.h"

namespace tain::internal {
namespace {

/// The handles that are being made.
struct Making {
  std::mutex mutex;  ///< guards `handles`
  std::condition_variable done;
  std::vector<std::pair<void**, std::thread::id>> handles;
};

Making& State() { return NeverDestroyed<Making>(); }

/// Waits until no other thread makes `handle`, then claims it. False if it has been made meanwhile.
bool Claim(void** handle) {
  Making& state = State();
  const std::thread::id me = std::this_thread::get_id();
  std::unique_lock lock(state.mutex);
  while (true) {
    const auto it = std::find_if(state.handles.begin(), state.handles.end(),
                                 [&](const auto& entry) { return entry.first == handle; });
    if (it == state.handles.end()) break;
    if (it->second == me) {
      TAIN_THROW(RuntimeError) << "TainHandleInitOnce: the handle's init asks for the handle";
    }
    RunUnlocked([&] {  // the other thread may need the host's lock
      state.done.wait(lock);
      lock.unlock();
    });
    lock.lock();
  }
  if (std::atomic_ref<void*>(*handle).load(std::memory_order_acquire) != nullptr) return false;
  state.handles.emplace_back(handle, me);
  return true;
}

/// Ends the claim, whether or not the handle was made.
struct Release {
  void** handle;
  ~Release() {
    Making& state = State();
    std::lock_guard lock(state.mutex);
    std::erase_if(state.handles, [&](const auto& entry) { return entry.first == handle; });
    state.done.notify_all();
  }
};

}  // namespace

constinit const ForkSteps handle_once_fork = {
    [] { State().mutex.lock(); }, [] { State().mutex.unlock(); },
    [] {
      Making& state = State();
      ::new (&state.mutex) std::mutex;  // never destroyed
      ::new (&state.done) std::condition_variable;
      // The child has no other threads that could finish their handles.
      const std::thread::id me = std::this_thread::get_id();
      std::erase_if(state.handles, [&](const auto& entry) { return entry.second != me; });
    }};

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainHandleInitOnce(void** handle, int (*init)(void** result)) noexcept {
  return Guard([&] {
    std::atomic_ref<void*> slot(NotNull(handle, "TainHandleInitOnce", "a handle"));
    NotNull(init, "TainHandleInitOnce", "a function that makes the handle");
    if (slot.load(std::memory_order_acquire) != nullptr || !Claim(handle)) return 0;
    const Release release{handle};
    void* made = nullptr;
    if (const int code = init(&made); code != 0) return code;
    if (made == nullptr) {
      TAIN_THROW(RuntimeError) << "TainHandleInitOnce: the handle's init gave null";
    }
    slot.store(made, std::memory_order_release);
    return 0;
  });
}

extern "C" int TainHandleDeinitOnce(void** handle, int (*deinit)(void* handle)) noexcept {
  return Guard([&] {
    std::atomic_ref<void*> slot(NotNull(handle, "TainHandleDeinitOnce", "a handle"));
    NotNull(deinit, "TainHandleDeinitOnce", "a function that ends the handle");
    void* made = slot.exchange(nullptr, std::memory_order_acq_rel);
    return made == nullptr ? 0 : deinit(made);
  });
}
