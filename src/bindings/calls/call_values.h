// SPDX-License-Identifier: Apache-2.0
// Calls of Functions with values of the core.
#pragma once

#include "base/error.h"
#include "tain/internal/call_flags.h"

namespace tain::bindings {

/// Calls the function and turns its error into a Python error.
inline int SafeCall(TainObject* function, const TainAny* args, int32_t num_args,
                    TainAny* result) noexcept {
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  const int code = cell->safe_call(function, args, num_args, result);
  if (TAIN_UNLIKELY(code != 0)) SetFromCore();
  return code;
}

/// Whether calls of a function with this info, which may be null, leave the lock: the GIL, or the
/// lock of the bridge.
inline bool LeavesLock(const TainFunctionInfo* info) noexcept {
#ifdef Py_GIL_DISABLED
  if (info == nullptr || (info->flags & internal::kThreadFlags) == 0) return false;
  // Its arguments cannot be held, so only the GIL is released.
  return internal::ReleasesGil(info) || (info->flags & kTainCallTakesAway) == 0;
#else
  return internal::ReleasesGil(info);
#endif
}
/// The same for a Function object, which may itself say that it releases the GIL.
inline bool LeavesLock(const TainObject* function, const TainFunctionInfo* info) noexcept {
  return TainFunctionReleasesGil(function) != 0 || LeavesLock(info);
}

/// Whether values of a type are containers that Python code changes.
inline bool IsChangeable(int32_t type_index) noexcept {
  return type_index == kTainList || type_index == kTainDict;
}

/// Calls a function for which LeavesLock is true: without the GIL; or, in a CPython that has none,
/// without the lock of the bridge if it says so and gets no List or Dict, with the lock of its receiver if
/// it asks for it.
/// Another thread may drop the last reference to any object, so the function and its arguments are
/// held. An error stays raised in the core.
int CallUnlocked(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
                 int32_t num_args, TainAny* result) noexcept;
/// Calls a function with or without the lock, as it says. An error stays raised in the core.
int CallValues(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
               int32_t num_args, TainAny* result) noexcept;
/// CallValues, but returns -1 with a Python error set.
int CallFrame(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
              int32_t num_args, TainAny* result) noexcept;
/// CallFrame for any function, with values that the caller holds.
int CallWithValues(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept;

}  // namespace tain::bindings
