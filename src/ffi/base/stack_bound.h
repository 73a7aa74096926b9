// SPDX-License-Identifier: Apache-2.0
// Whether libtain may recurse once more.
#pragma once

#include "tain/internal/fast_tls.h"
#include "tain/internal/stack.h"

namespace tain::internal {

/// The address below which no further level begins in this thread; not known yet at first.
extern constinit TAIN_FAST_THREAD_LOCAL uintptr_t stack_limit;

/// StackIsLow for a thread whose limit is not known, or that is there.
bool StackIsLowSlow() noexcept;

/// Whether little of the thread's C stack is left.
inline bool StackIsLow() noexcept {
  return TAIN_UNLIKELY(StackAddress() <= stack_limit) && StackIsLowSlow();
}

/// RecursionError `what: the C stack of this thread is nearly used up`.
[[noreturn]] void ThrowStackIsLow(const char* what);

}  // namespace tain::internal
