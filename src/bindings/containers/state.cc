// SPDX-License-Identifier: Apache-2.0
#include "containers/state.h"

namespace tain::bindings {

Eternal<ContainersState> containers_state;

}  // namespace tain::bindings
