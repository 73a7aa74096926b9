// SPDX-License-Identifier: Apache-2.0
// What lives as long as the process, its locks, and fork(). The child has only the thread that forked, so a lock that another thread held
// would stay locked for ever.
//
// During a fork the forking thread holds all locks of libtain, so the data that they guard is
// consistent in the child. The child then constructs the locks again, because some store the number
// of the owning thread, which differs in the child. Each part of libtain with such a lock defines
// ForkSteps for it; the table in fork.cc lists them in the order in which the locks are taken.
#pragma once

#include <new>
#include <type_traits>

namespace tain::internal {

/// The functions for one lock.
struct ForkSteps {
  void (*prepare)();  ///< takes the lock
  void (*parent)();   ///< releases it
  void (*child)();    ///< constructs it again
};

/// Returns the one T of the process. It is made when it is first used, and never destroyed, because
/// objects and threads outlive static destructors.
template <class T>
[[gnu::always_inline]] inline T& NeverDestroyed() {
  static auto* only = new T;
  return *only;
}

/// Calls `act` for each lock of a state: its `mutex`, that of each of its elements, or itself.
template <class State, class Act>
void ForEachLock(State& state, const Act& act) {
  if constexpr (requires { state.mutex; }) {
    act(state.mutex);
  } else if constexpr (requires { state.begin(); }) {
    for (auto& part : state) act(part.mutex);
  } else {
    act(state);
  }
}

/// The steps for the locks of a state that needs no further work.
template <auto kState>
constexpr ForkSteps StepsFor() noexcept {
  return {[] { ForEachLock(kState(), [](auto& lock) { lock.lock(); }); },
          [] { ForEachLock(kState(), [](auto& lock) { lock.unlock(); }); },
          [] {
            ForEachLock(kState(), [](auto& lock) {
              ::new (&lock) std::remove_reference_t<decltype(lock)>();  // never destroyed
            });
          }};
}

extern const ForkSteps upgrades_fork;
extern const ForkSteps imports_fork;
extern const ForkSteps library_load_fork;
extern const ForkSteps modules_fork;
extern const ForkSteps context_symbols_fork;
extern const ForkSteps program_symbols_fork;
extern const ForkSteps registry_fork;
extern const ForkSteps field_init_fork;
extern const ForkSteps box_kept_fork;
extern const ForkSteps box_places_fork;
extern const ForkSteps handle_once_fork;
extern const ForkSteps loans_fork;
extern const ForkSteps foreign_object_fork;
extern const ForkSteps live_count_fork;

}  // namespace tain::internal
