// SPDX-License-Identifier: Apache-2.0
#include "calls/state.h"

namespace tain::bindings {

Eternal<CallsState> calls_state;

}  // namespace tain::bindings
