// SPDX-License-Identifier: Apache-2.0
#include "api/state.h"

namespace tain::bindings {

Eternal<ApiState> api_state;

}  // namespace tain::bindings
