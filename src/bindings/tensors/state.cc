// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "tensors/state.h"

namespace tain::bindings {

Eternal<TensorsState> tensors_state;

}  // namespace tain::bindings
