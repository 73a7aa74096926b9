// SPDX-License-Identifier: Apache-2.0
// An info that several functions share.
#pragma once

#include "tain/c_api_registry.h"

namespace tain::internal {

/// Attaches an info that is never freed to a function, unless it has one.
void SetSharedInfo(TainObject* function, const TainFunctionInfo* info) noexcept;

}  // namespace tain::internal
