// SPDX-License-Identifier: Apache-2.0
// Which library registered a global function.
#pragma once

#include <string>
#include <string_view>

#include "tain/base.h"

namespace tain::internal {

/// Returns the file of the library that registered a global function; empty if there is no such
/// function, or if libtain or the host registered it.
TAIN_DLL std::string FileOfFunction(std::string_view name);

}  // namespace tain::internal
