// SPDX-License-Identifier: Apache-2.0
// Recursion through both languages: bounded by Python's limit and by the C stack, which is less
// than that limit says in threads and where somebody raised it.
#pragma once

#include <cstdint>

#include "base/py.h"
#include "tain/internal/fast_tls.h"
#include "tain/internal/stack.h"

namespace tain::bindings {

/// The address below which no further level begins in this thread; not known yet at first.
extern constinit TAIN_FAST_THREAD_LOCAL uintptr_t stack_limit;

/// StackIsLow for a thread whose limit is not known, or that is there.
bool StackIsLowSlow() noexcept;

/// Whether little of the thread's C stack is left.
inline bool StackIsLow() noexcept {
  return TAIN_UNLIKELY(internal::StackAddress() <= stack_limit) && StackIsLowSlow();
}

/// Sets RecursionError; false.
bool SetStackIsLow(const char* where) noexcept;

/// False, with RecursionError set, if little of the thread's C stack is left.
inline bool CheckStack(const char* where) noexcept { return !StackIsLow() || SetStackIsLow(where); }

/// A level of recursion, as Py_EnterRecursiveCall counts it.
class Recursion {
 public:
  explicit Recursion(const char* where) noexcept
      : entered_(CheckStack(where) && Py_EnterRecursiveCall(where) == 0) {}
  ~Recursion() {
    if (entered_) Py_LeaveRecursiveCall();
  }
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
  /// False with RecursionError set.
  explicit operator bool() const noexcept { return entered_; }

 private:
  bool entered_;
};

}  // namespace tain::bindings
