// SPDX-License-Identifier: Apache-2.0
// Calls of functions that expect not to have the lock of the host language.
#pragma once

#include "tain/c_api_host.h"

namespace tain::internal {

/// Calls `call(self, ...)`; if this thread holds the host's lock, it is released meanwhile, and the
/// arguments are held: another thread may drop the last reference to any object. Throws what `call`
/// throws.
int CallUnlocked(TainSafeCall call, void* self, const TainAny* args, int32_t num_args,
                 TainAny* result);

/// Returns the code of a call of another library's function; throws InternalError if the result is
/// an object without an address.
int CheckedResult(int code, const TainAny& result);

}  // namespace tain::internal
