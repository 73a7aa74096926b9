// SPDX-License-Identifier: Apache-2.0
// The boxes by the places of their objects: one C++ object has one box while that lives.
#pragma once

#include "tain/internal/box.h"

namespace tain::internal {

/// Makes a box that refers to an object keep the owners alive that are objects. One that others have
/// already does not begin to depend on a loan. Returns whether it kept each of them itself before.
bool KeepOwners(BoxObj* box, bool is_new, const TainAny* owners, int32_t num_owners);

}  // namespace tain::internal
