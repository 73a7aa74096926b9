// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "describe/state.h"

namespace tain::bindings {

Eternal<DescribeState> describe_state;

}  // namespace tain::bindings
