// SPDX-License-Identifier: Apache-2.0
// The bounds of the C stack; see recursion.h.
#include "recursion.h"

#include <algorithm>
#include <cstdint>

#if defined(__linux__)
#include <pthread.h>
#elif defined(_WIN32)
#include <windows.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

namespace tain::bindings {
namespace {

/// What CPython and the callee need to come back with an exception.
constexpr uintptr_t kReserve = 128 * 1024;

struct Stack {
  uintptr_t low;  ///< its lowest address; 0 if unknown
  uintptr_t size;
};

Stack ThisStack() noexcept {
#if defined(__linux__)
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0};
  const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  return known ? Stack{reinterpret_cast<uintptr_t>(low), size} : Stack{0, 0};
#elif defined(_WIN32)
  ULONG_PTR low = 0, high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  return {low, high - low};
#elif defined(__APPLE__)
  const auto high = reinterpret_cast<uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  const size_t size = pthread_get_stacksize_np(pthread_self());
  return {high - size, size};
#else
  return {0, 0};
#endif
}

}  // namespace

constinit TAIN_FAST_THREAD_LOCAL uintptr_t stack_limit = UINTPTR_MAX;

bool CheckStackSlow(const char* where) noexcept {
  const Stack stack = ThisStack();
  stack_limit = stack.low == 0 ? 0 : stack.low + std::min(kReserve, stack.size / 4);
  // Below the thread's own stack lies that of a fiber, of which nothing is known.
  if (StackAddress() > stack_limit || StackAddress() < stack.low) return true;
  PyErr_Format(PyExc_RecursionError, "the C stack of this thread is nearly used up%s", where);
  return false;
}

}  // namespace tain::bindings
