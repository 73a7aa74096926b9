// SPDX-License-Identifier: Apache-2.0
// Computes the bounds of the C stack; see tain/internal/stack.h.
#include "base/stack_bound.h"

#include <algorithm>

#include "tain/error.h"

#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#elif defined(_WIN32)
#include <windows.h>
#endif

namespace tain::internal {
namespace {

/// The stack that Python and the callee need to return with an exception.
constexpr uintptr_t kReserve = 128 * 1024;

StackBounds Bounds(uintptr_t low, uintptr_t size) noexcept {
  return {low, low == 0 ? 0 : low + std::min(kReserve, size / 4)};
}

}  // namespace

StackBounds ThisStack() noexcept {
#if defined(__linux__)
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0};
  const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  return known ? Bounds(reinterpret_cast<uintptr_t>(low), size) : StackBounds{0, 0};
#elif defined(_WIN32)
  ULONG_PTR low = 0, high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  return Bounds(low, high - low);
#elif defined(__APPLE__)
  const auto high = reinterpret_cast<uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  const size_t size = pthread_get_stacksize_np(pthread_self());
  return Bounds(high - size, size);
#else
  return {0, 0};
#endif
}

constinit TAIN_FAST_THREAD_LOCAL uintptr_t stack_limit = UINTPTR_MAX;

bool StackIsLowSlow() noexcept {
  const StackBounds bounds = ThisStack();
  stack_limit = bounds.limit;
  return IsBeyond(StackAddress(), bounds);
}

void ThrowStackIsLow(const char* what) {
  TAIN_THROW(RecursionError) << what << ": the C stack of this thread is nearly used up";
}

}  // namespace tain::internal
