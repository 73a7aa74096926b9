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

/// The flags that say what a call does with the host's lock.
inline constexpr int32_t kThreadFlags =
    kTainCallReleaseGil | kTainCallThreadSafe | kTainCallLockReceiver;

/// Whether a call needs no lock.
inline bool IsThreadSafe(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & (kTainCallThreadSafe | kTainCallReleaseGil)) != 0;
}
/// Whether a call needs the lock of its receiver only.
inline bool LocksReceiver(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallLockReceiver) != 0;
}

}  // namespace tain::internal
