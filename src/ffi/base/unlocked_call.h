// SPDX-License-Identifier: Apache-2.0
// Calls of the host language, and of functions that expect not to have its lock; code that waits.
#pragma once

#include <type_traits>

#include "tain/any.h"
#include "tain/c_api_host.h"

namespace tain::internal {

/// Returns a function of the host; null if there is no host, or it has none.
template <auto kFunction>
auto HostFunction() noexcept {
  const TainHost* host = TainGetHost();
  return host == nullptr ? nullptr : host->*kFunction;
}

/// Asks the host for a form of an object, or for its answer to a question about it. Returns false if
/// it has none; throws what it raises.
bool AskHost(TainObject* object, TainHostForm form, const TainAny& question, Any* out);
/// Makes a value of the host from its parts in the same way.
bool MakeByHost(const TainAny& parts, TainHostForm form, Any* out);

/// Calls `call(self, ...)`; if this thread holds the host's lock, it is released meanwhile, and the
/// arguments are held: another thread may drop the last reference to any object. Throws what `call`
/// throws.
int CallUnlocked(TainSafeCall call, void* self, const TainAny* args, int32_t num_args,
                 TainAny* result);

/// Returns the code of a call of another library's function; throws InternalError if the result is
/// an object without an address.
int CheckedResult(int code, const TainAny& result);

/// Runs code that may wait and does not throw. If this thread holds the host's lock, it is released
/// meanwhile: who is waited for may need it.
void RunUnlocked(void (*run)(void* context), void* context);
template <class F>
void RunUnlocked(F&& run) {
  RunUnlocked([](void* context) { (*static_cast<std::remove_reference_t<F>*>(context))(); }, &run);
}

/// Handles the signals that have arrived: for a system call that one has interrupted. Unlike
/// check_signals() it always asks the host. Throws what a handler raised.
void CheckSignalsNow();

}  // namespace tain::internal
