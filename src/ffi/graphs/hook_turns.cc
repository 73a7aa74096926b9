// SPDX-License-Identifier: Apache-2.0
// The order in which hooks end; see hook_turns.h.
#include "graphs/hook_turns.h"

#include "base/guard.h"

namespace tain::internal {

void HookTurns::Check(uint64_t number, const char* where) const {
  if (IsTurnOf(number)) return;
  TAIN_THROW(RuntimeError) << where << ": coroutines call its function in turns, and one of these "
                           << "calls has not ended";
}

}  // namespace tain::internal
