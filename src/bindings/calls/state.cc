// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "calls/state.h"

namespace tain::bindings {

Eternal<CallsState> calls_state;

}  // namespace tain::bindings
