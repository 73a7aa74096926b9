// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "objects/state.h"

namespace tain::bindings {

Eternal<ObjectsState> objects_state;

}  // namespace tain::bindings
