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

using internal::ReleasesGil;

/// Calls a function without the GIL. Another thread may drop the last reference to any object, so
/// the function and its arguments are held. An error stays raised in the core.
int CallWithoutGil(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept;
/// Calls a function with or without the GIL, as its info says. An error stays raised in the core.
int CallValues(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
               int32_t num_args, TainAny* result) noexcept;
/// CallValues, but returns -1 with a Python error set.
int CallFrame(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
              int32_t num_args, TainAny* result) noexcept;
/// CallFrame for any function, with values that the caller holds.
int CallWithValues(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept;

}  // namespace tain::bindings
