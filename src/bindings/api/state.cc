// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "api/state.h"

namespace tain::bindings {

Eternal<ApiState> api_state;

}  // namespace tain::bindings
