// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "values/state.h"

namespace tain::bindings {

Eternal<ValuesState> values_state;

}  // namespace tain::bindings
