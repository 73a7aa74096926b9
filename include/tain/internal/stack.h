// SPDX-License-Identifier: Apache-2.0
// How much of the C stack is left: what recurses asks before each level, for threads have small
// stacks and limits that count levels know nothing of them.
#pragma once

#include <cstdint>

#include "tain/base.h"

namespace tain::internal {

/// The C stack of a thread, which grows down.
struct StackBounds {
  uintptr_t low;    ///< its lowest address; 0 if unknown
  uintptr_t limit;  ///< below it no further level begins: the rest is for coming back
};

/// The bounds of the thread that asks.
TAIN_DLL StackBounds ThisStack() noexcept;

inline uintptr_t StackAddress() noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#else
  const volatile char here = 0;
  return reinterpret_cast<uintptr_t>(&here);
#endif
}

/// Whether an address lies beyond the limit. Below a thread's own stack may lie that of a fiber, of
/// which nothing is known.
inline bool IsBeyond(uintptr_t address, const StackBounds& bounds) noexcept {
  return address <= bounds.limit && address >= bounds.low;
}

}  // namespace tain::internal
