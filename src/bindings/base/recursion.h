// SPDX-License-Identifier: Apache-2.0
// Limits recursion through both languages by Python's recursion limit and by the C stack. The C
// stack may be full before Python's limit is reached, in threads and if the limit was raised.
#pragma once

#include <cstdint>

#include "base/py.h"
#include "tain/internal/fast_tls.h"
#include "tain/internal/stack.h"

namespace tain::bindings {

/// The lowest stack address at which a new level may begin in this thread; UINTPTR_MAX until it is
/// computed.
extern constinit TAIN_FAST_THREAD_LOCAL uintptr_t stack_limit;

/// The slow part of StackIsLow: for a thread whose limit is unknown or reached.
bool StackIsLowSlow() noexcept;

/// Whether little of the thread's C stack is left.
[[gnu::always_inline]] inline bool StackIsLow() noexcept {
  return TAIN_UNLIKELY(internal::StackAddress() <= stack_limit) && StackIsLowSlow();
}

/// Sets RecursionError. Always returns false.
bool SetStackIsLow(const char* where) noexcept;

/// Returns false with RecursionError set if little of the thread's C stack is left.
[[gnu::always_inline]] inline bool CheckStack(const char* where) noexcept {
  return !StackIsLow() || SetStackIsLow(where);
}

/// One level of recursion, counted by Py_EnterRecursiveCall.
class Recursion : internal::NotCopied {
 public:
  explicit Recursion(const char* where) noexcept
      : entered_(CheckStack(where) && Py_EnterRecursiveCall(where) == 0) {}
  ~Recursion() {
    if (entered_) Py_LeaveRecursiveCall();
  }
  /// Returns false, with RecursionError set, if a limit was reached.
  explicit operator bool() const noexcept { return entered_; }

 private:
  bool entered_;
};

}  // namespace tain::bindings
