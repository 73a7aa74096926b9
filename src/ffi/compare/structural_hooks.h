// SPDX-License-Identifier: Apache-2.0
// Calls the hooks `__s_equal__` and `__s_hash__`, and gives them a function that is valid until
// they return.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "compare/structural_plan.h"
#include "tain/function.h"

namespace tain::internal {

/// A function for a hook. Once the hook has returned, and on other threads, a call of the function
/// raises RuntimeError: the walk that it belongs to goes on elsewhere.
class HookFunction : NotCopied {
 public:
  /// `body` gets the arguments of each call. `where` names the hook, for errors.
  HookFunction(const char* where, std::function<Any(Args)> body);
  ~HookFunction();
  const Function& function() const noexcept { return function_; }

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  Function function_;
};

/// Calls a hook of the host class of `args[0]`, or the one of its type. Returns false if there is
/// neither. Throws RecursionError if the C stack is nearly used up.
bool CallStructuralHook(const char* name, const TainAny* type_hook, bool may_have_host_hook,
                        const AnyView* args, int32_t num_args, Any* result);

/// Throws TypeError `testing.Node.__s_equal__: expected bool, got str ('x')`.
[[noreturn]] void ThrowHookResult(TainObject* object, const char* name, const char* expected,
                                  const Any& got);

/// Returns argument `index` as a bool; false if it was not given. Throws TypeError.
bool HookFlag(Args args, int32_t index, const char* where, const char* name);

/// Returns an int that a hook gave, of which the lowest 64 bits count. Throws TypeError.
uint64_t HookInt(TainObject* object, const Any& value);

}  // namespace tain::internal
