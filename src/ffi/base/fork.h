// SPDX-License-Identifier: Apache-2.0
// Locks and fork(): the child has only the thread that forked, so a lock that another thread held
// would stay locked for ever.
//
// Around a fork the forking thread holds every lock of libtain, so that what they guard is whole in
// the child; there the locks are made anew, because some remember the thread that took them by a
// number that is another one in the child. Whoever has a lock in a state of the process says so by
// functions of this form, and stands in the table of fork.cc, in the order in which locks are
// taken.
#pragma once

#include <new>
#include <type_traits>

namespace tain::internal {

/// What one state does around a fork.
struct ForkSteps {
  void (*prepare)();  ///< takes the lock
  void (*parent)();   ///< gives it back
  void (*child)();    ///< makes it anew
};

/// The steps for a lock that guards its data by itself.
template <auto kLockOf>
constexpr ForkSteps StepsFor() noexcept {
  return {[] { kLockOf().lock(); }, [] { kLockOf().unlock(); },
          [] {
            auto& lock = kLockOf();
            ::new (&lock) std::remove_reference_t<decltype(lock)>();  // never destroyed
          }};
}

extern const ForkSteps library_load_fork;
extern const ForkSteps registry_fork;
extern const ForkSteps field_init_fork;
extern const ForkSteps edges_fork;
extern const ForkSteps handle_once_fork;
extern const ForkSteps foreign_object_fork;
extern const ForkSteps live_count_fork;

}  // namespace tain::internal
