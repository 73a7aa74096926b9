// SPDX-License-Identifier: Apache-2.0
// The overrides that run in each thread.
#include "memory/override_call.h"

namespace tain::internal {

constinit TAIN_FAST_THREAD_LOCAL const OverrideCall* OverrideCall::innermost = nullptr;

}  // namespace tain::internal
