// SPDX-License-Identifier: Apache-2.0
#include "objects/state.h"

namespace tain::bindings {

Eternal<ObjectsState> objects_state;

}  // namespace tain::bindings
