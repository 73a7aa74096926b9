// SPDX-License-Identifier: Apache-2.0
#include "tensors/state.h"

namespace tain::bindings {

Eternal<TensorsState> tensors_state;

}  // namespace tain::bindings
