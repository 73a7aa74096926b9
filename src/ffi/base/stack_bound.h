// SPDX-License-Identifier: Apache-2.0
// Checks whether the C stack has room for another level of recursion.
#pragma once

#include "tain/internal/fast_tls.h"
#include "tain/internal/stack.h"

namespace tain::internal {

/// The lowest stack address at which a new level may begin in this thread; UINTPTR_MAX at first.
extern constinit TAIN_FAST_THREAD_LOCAL uintptr_t stack_limit;

/// The slow part of StackIsLow: for a thread whose limit is unknown or reached.
bool StackIsLowSlow() noexcept;

/// Whether little of the thread's C stack is left.
inline bool StackIsLow() noexcept {
  return TAIN_UNLIKELY(StackAddress() <= stack_limit) && StackIsLowSlow();
}

/// Throws RecursionError `what: the C stack of this thread is nearly used up`.
[[noreturn]] void ThrowStackIsLow(const char* what);

}  // namespace tain::internal
