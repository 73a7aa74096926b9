// SPDX-License-Identifier: Apache-2.0
// The common form of all exported C functions: check arguments, work inside Guard, return a code.
#pragma once

#include <string_view>
#include <type_traits>

#include "tain/c_api.h"
#include "tain/error.h"

namespace tain::internal {

/// Runs `body`. An exception becomes the thread's raised error, and the result is -1. `body`
/// returns a code, or nothing for 0.
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

/// The same for functions that cannot report errors: drops the exception.
template <class F>
inline void GuardVoid(F&& body) noexcept {
  try {
    body();
  } catch (...) {
    // Each such function documents that it does nothing if there is no memory.
  }
}

/// Returns `*pointer`; throws TypeError `where: expected what, got null` for null.
template <class T>
inline T& NotNull(T* pointer, const char* where, const char* what) {
  if (TAIN_UNLIKELY(pointer == nullptr)) {
    TAIN_THROW(TypeError) << where << ": expected " << what << ", got null";
  }
  return *pointer;
}

/// Returns the text of a byte array, which must not be null.
inline std::string_view TextOf(const TainByteArray& bytes, const char* where, const char* what) {
  if (TAIN_UNLIKELY(bytes.data == nullptr && bytes.size != 0)) {
    TAIN_THROW(TypeError) << where << ": expected " << what << ", got null";
  }
  return {bytes.data, bytes.size};
}
inline std::string_view TextOf(const TainByteArray* bytes, const char* where, const char* what) {
  return TextOf(NotNull(bytes, where, what), where, what);
}
/// Throws ValueError `where: 3 things, but no list of them` for a number of things without a list.
inline void CheckList(const void* list, int32_t count, std::string_view where, const char* things) {
  if (TAIN_UNLIKELY(count < 0 || (count > 0 && list == nullptr))) {
    TAIN_THROW(ValueError) << where << ": " << count << " " << things << ", but no list of them";
  }
}

}  // namespace tain::internal
