// SPDX-License-Identifier: Apache-2.0
#include "values/state.h"

namespace tain::bindings {

Eternal<ValuesState> values_state;

}  // namespace tain::bindings
