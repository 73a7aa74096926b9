// SPDX-License-Identifier: Apache-2.0
// Calls of Functions with values of the core; see call_values.h.
#include "calls/call_values.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/gil.h"
#include "objects/in_flight.h"
#include "objects/instance.h"
#include "tain/any.h"

namespace tain::bindings {
namespace {

/// Whether the header of a function leaves the question to `info`: nobody has set the rule of this
/// Function object, and tain's own code made it.
bool FollowsInfo(const TainObject* function, const TainFunctionInfo* info) noexcept {
  const uint32_t word = std::atomic_ref<uint32_t>(const_cast<TainObject*>(function)->reserved)
                            .load(std::memory_order_relaxed);
  constexpr uint32_t kAsked = uint32_t{kTainHeaderHasPrefix} | uint32_t{kTainFunctionReleasesGil};
  return info != nullptr && (word & kAsked) == kTainHeaderHasPrefix;
}

#ifdef Py_GIL_DISABLED
/// Whether an argument is a List or Dict. While the callee converts it other threads must not change it.
bool TakesChangeable(const TainAny* args, int32_t num_args) noexcept {
  return std::any_of(args, args + num_args,
                     [](const TainAny& arg) { return IsChangeable(arg.type_index); });
}
#endif

/// Runs the function of CallUnlocked.
int CallHeld(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
             int32_t num_args, TainAny* result) noexcept {
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
#ifdef Py_GIL_DISABLED
  if (LeavesLock(info) && TainFunctionReleasesGil(function) == 0) {  // the thread stays attached
    const bool locks = internal::LocksReceiver(info) && num_args > 0 &&
                       args[0].type_index >= kTainStaticObjectBegin;
    const Own receiver = locks ? HoldWrapper(args[0].v_obj) : Own();
    std::optional<BridgeUnlock> unlocked;
    if (!TakesChangeable(args, num_args)) unlocked.emplace();
    std::optional<WordLock> lock;
    if (receiver) lock.emplace(receiver.get());
    return cell->safe_call(function, args, num_args, result);
  }
#else
  (void)info;
#endif
  const ReleaseGil unlocked;
  return cell->safe_call(function, args, num_args, result);
}

/// Whether an argument is a module of tain's, which other libraries know by another object.
bool IsOwnModule(const TainAny& arg) noexcept {
  return arg.type_index >= kTainModule &&
         (TainObjectWordOf(arg.v_obj) & kTainHeaderHasPrefix) != 0 &&
         TainTypeIsInstance(arg.type_index, kTainModule) != 0;
}

/// Runs CallUnlocked for a function of another library, with the objects by which it knows modules of
/// tain's.
int CallDressed(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
                int32_t num_args, TainAny* result) noexcept {
  return GuardedForCore([&] {
    std::vector<Any> dressed;
    dressed.reserve(static_cast<size_t>(num_args));
    for (const TainAny& arg : std::span(args, static_cast<size_t>(num_args))) {
      TainAny one = arg;
      if (IsOwnModule(arg)) {
        internal::ThrowIfFailed(TainGetModuleOperations()->dress(arg.v_obj, &one.v_obj));
        one.type_index = one.v_obj->type_index;
        dressed.push_back(Any::Steal(one));
      } else {
        dressed.emplace_back(AnyView(arg));
      }
    }
    return CallHeld(function, info, reinterpret_cast<const TainAny*>(dressed.data()), num_args,
                    result);
  });
}

}  // namespace

int CallUnlocked(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
                 int32_t num_args, TainAny* result) noexcept {
  internal::IncRef(function);
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index >= kTainStaticObjectBegin) internal::IncRef(args[i].v_obj);
  }
  const bool is_dressed = std::any_of(args, args + num_args, &IsOwnModule) &&
                          TainGetModuleOperations() != nullptr &&
                          TainFunctionIsForeign(function) != 0;
  const int code = is_dressed ? CallDressed(function, info, args, num_args, result)
                              : CallHeld(function, info, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index >= kTainStaticObjectBegin) internal::DecRef(args[i].v_obj);
  }
  internal::DecRef(function);
  return code;
}

int CallValues(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
               int32_t num_args, TainAny* result) noexcept {
  if (LeavesLock(info) ||
      (!FollowsInfo(function, info) && TainFunctionReleasesGil(function) != 0)) {
    return CallUnlocked(function, info, args, num_args, result);
  }
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  return cell->safe_call(function, args, num_args, result);
}

int CallFrame(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
              int32_t num_args, TainAny* result) noexcept {
  const int code = CallValues(function, info, args, num_args, result);
  if (code != 0) SetFromCore();
  return code;
}

int CallWithValues(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept {
  const InFlight in_flight(args, num_args);
  return CallFrame(function, TainFunctionGetInfo(function), args, num_args, result);
}

}  // namespace tain::bindings
