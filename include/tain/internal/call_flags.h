// SPDX-License-Identifier: Apache-2.0
// What the flags of a function say of its calls. Their table: tain/reflection/arg.h.
#pragma once

#include "tain/c_api_registry.h"

namespace tain::internal {

/// Whether the info of a function says that its calls release the GIL. A function without info does
/// not; a Function object may say otherwise (TainFunctionReleasesGil).
inline bool ReleasesGil(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallReleaseGil) != 0;
}

}  // namespace tain::internal
