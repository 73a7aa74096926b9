// SPDX-License-Identifier: Apache-2.0
#include "describe/state.h"

namespace tain::bindings {

Eternal<DescribeState> describe_state;

}  // namespace tain::bindings
