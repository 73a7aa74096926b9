// SPDX-License-Identifier: Apache-2.0
// The signature of a function as text.
#pragma once

#include <string>

#include "tain/c_api_registry.h"

namespace tain::internal {

/// Returns `norm(p: int) -> float`. Defaults are written as `...`, or as their values.
std::string SignatureText(const TainFunctionInfo& info, bool with_values = false);

}  // namespace tain::internal
