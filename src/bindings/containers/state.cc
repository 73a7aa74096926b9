// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "containers/state.h"

namespace tain::bindings {

Eternal<ContainersState> containers_state;

}  // namespace tain::bindings
