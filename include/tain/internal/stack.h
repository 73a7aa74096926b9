// SPDX-License-Identifier: Apache-2.0
// How much of the C stack is left. Recursive code checks it before each level, because threads may
// have small stacks, for which a limit on the number of levels is not enough.
#pragma once

#include <cstdint>

#include "tain/base.h"

namespace tain::internal {

/// The C stack of a thread, which grows down.
struct StackBounds {
  uintptr_t low;    ///< its lowest address; 0 if unknown
  uintptr_t limit;  ///< no further level begins below it; the rest is reserved
};

/// Returns the bounds of the calling thread's stack.
TAIN_DLL StackBounds ThisStack() noexcept;

inline uintptr_t StackAddress() noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#else
  const volatile char here = 0;
  return reinterpret_cast<uintptr_t>(&here);
#endif
}

/// Whether an address of the stack is below the limit. An address below the whole stack may belong
/// to a fiber, whose bounds are unknown.
inline bool IsBeyond(uintptr_t address, const StackBounds& bounds) noexcept {
  return address <= bounds.limit && address >= bounds.low;
}

}  // namespace tain::internal
