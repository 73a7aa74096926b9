// SPDX-License-Identifier: Apache-2.0
// The state of garbage collection; see gc_state.h.
#include "objects/gc_state.h"

namespace tain::bindings {

Eternal<GcState> gc_state;

}  // namespace tain::bindings
