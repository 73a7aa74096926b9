// SPDX-License-Identifier: Apache-2.0
// Known names that are like an unknown one, for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tain/c_api.h"

namespace tain::internal {

/// Returns ` Did you mean 'radius', 'ratio'?` with the known names that are similar to `name`;
/// empty if there are none.
TAIN_DLL std::string NearMatches(std::string_view name, const std::vector<std::string>& known);

}  // namespace tain::internal
