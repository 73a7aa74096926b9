// SPDX-License-Identifier: Apache-2.0
// Words for what was given, private to libtain.
#pragma once

#include <string>

#include "tain/c_api.h"

namespace tain::internal {

/// The class of what the user gave, in the user's words: `list`, `function`, `geometry.Point`.
std::string GotTypeName(const TainAny& got);

}  // namespace tain::internal
