// SPDX-License-Identifier: Apache-2.0
// The bounds of the C stack; see recursion.h.
#include "base/recursion.h"

namespace tain::bindings {

constinit TAIN_FAST_THREAD_LOCAL uintptr_t stack_limit = UINTPTR_MAX;

bool StackIsLowSlow() noexcept {
  const internal::StackBounds bounds = internal::ThisStack();
  stack_limit = bounds.limit;
  return internal::IsBeyond(internal::StackAddress(), bounds);
}

bool SetStackIsLow(const char* where) noexcept {
  PyErr_Format(PyExc_RecursionError, "the C stack of this thread is nearly used up%s", where);
  return false;
}

}  // namespace tain::bindings
