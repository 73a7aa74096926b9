// SPDX-License-Identifier: Apache-2.0
// Calls of Functions with values of the core.
#pragma once

#include "base/error.h"

namespace tain::bindings {

/// The callee, with its error as a Python error.
inline int SafeCall(TainObject* function, const TainAny* args, int32_t num_args,
                    TainAny* result) noexcept {
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  const int code = cell->safe_call(function, args, num_args, result);
  if (TAIN_UNLIKELY(code != 0)) SetFromCore();
  return code;
}

/// Whether what is known of a function says that its calls release the GIL.
inline bool ReleasesGil(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallReleaseGil) != 0;
}

/// A call without the GIL: another thread may drop the last reference to anything, so everything is
/// held. An error stays with the core.
int CallWithoutGil(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept;
/// The call as what is known of the function wants it; an error stays with the core.
int CallValues(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
               int32_t num_args, TainAny* result) noexcept;
/// The same; -1 with a Python error set.
int CallFrame(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
              int32_t num_args, TainAny* result) noexcept;
/// The same with values that the caller holds, for any function.
int CallWithValues(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept;

}  // namespace tain::bindings
