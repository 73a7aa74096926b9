// SPDX-License-Identifier: Apache-2.0
// The one shape of every exported C function: check, work inside Guard, return a code.
#pragma once

#include <string_view>
#include <type_traits>

#include "tain/c_api.h"
#include "tain/error.h"

namespace tain::internal {

/// Runs `body`; an exception becomes the thread's raised error and the result -1. `body` may return
/// nothing (0) or a code.
template <class F>
inline int Guard(F&& body) noexcept {
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return 0;
    } else {
      return body();
    }
  } catch (...) {
    return TainErrorSetFromException();
  }
}

/// The same for functions that cannot report: the exception is dropped.
template <class F>
inline void GuardVoid(F&& body) noexcept {
  try {
    body();
  } catch (...) {
    // Documented at each such function: without memory it does nothing.
  }
}

/// `*pointer`, or a TypeError `where: expected what, got null`.
template <class T>
inline T& NotNull(T* pointer, const char* where, const char* what) {
  if (TAIN_UNLIKELY(pointer == nullptr)) {
    TAIN_THROW(TypeError) << where << ": expected " << what << ", got null";
  }
  return *pointer;
}

/// The text of a byte array that must be there.
inline std::string_view TextOf(const TainByteArray& bytes, const char* where, const char* what) {
  if (TAIN_UNLIKELY(bytes.data == nullptr && bytes.size != 0)) {
    TAIN_THROW(TypeError) << where << ": expected " << what << ", got null";
  }
  return {bytes.data, bytes.size};
}
inline std::string_view TextOf(const TainByteArray* bytes, const char* where, const char* what) {
  return TextOf(NotNull(bytes, where, what), where, what);
}
/// The text of a byte array inside tain, which is known to be well formed.
inline std::string_view View(const TainByteArray& bytes) noexcept {
  return {bytes.data, bytes.size};
}

}  // namespace tain::internal
