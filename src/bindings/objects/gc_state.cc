// SPDX-License-Identifier: Apache-2.0
#include "objects/gc_state.h"

namespace tain::bindings {

Eternal<GcState> gc_state;

}  // namespace tain::bindings
