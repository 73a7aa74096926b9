// SPDX-License-Identifier: Apache-2.0
// The basis of every other header: the language level, the library's own unit record, small macros.
//
// Each library compiled against tain has one hidden TainUnit, which tells libtain how the library
// was compiled. The macro TAIN_UNIT_NAME gives the unit a name; tain_add_library and tain.cpp
// define it.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error tain needs C++20: add -std=c++20
#include <stops here, see the line above>
#endif

#include <cstdint>
#include <cstring>

#include "tain/c_api.h"
#include "tain/version.h"

#if defined(__GNUC__) || defined(__clang__)
#define TAIN_LIKELY(x) (__builtin_expect(!!(x), 1))
#define TAIN_UNLIKELY(x) (__builtin_expect(!!(x), 0))
#define TAIN_COLD __attribute__((cold, noinline))
#define TAIN_NOINLINE __attribute__((noinline))
#define TAIN_FUNC __PRETTY_FUNCTION__
#else
#define TAIN_LIKELY(x) (x)
#define TAIN_UNLIKELY(x) (x)
#define TAIN_COLD
#define TAIN_NOINLINE
#define TAIN_FUNC __func__
#endif

// Whether typeid and dynamic_cast work: -fno-rtti switches them off.
#if defined(__cpp_rtti) || defined(__GXX_RTTI)
#define TAIN_HAS_RTTI 1
#else
#define TAIN_HAS_RTTI 0
#endif

#define TAIN_STR_IMPL(x) #x
#define TAIN_STR(x) TAIN_STR_IMPL(x)
#define TAIN_CONCAT_IMPL(a, b) a##b
#define TAIN_CONCAT(a, b) TAIN_CONCAT_IMPL(a, b)

#ifdef TAIN_UNIT_NAME
#define TAIN_INTERNAL_UNIT_NAME TAIN_UNIT_NAME
#else
#define TAIN_INTERNAL_UNIT_NAME nullptr
#endif

#if defined(__clang__)
#define TAIN_COMPILER_TAG "clang " TAIN_STR(__clang_major__)
#elif defined(__GNUC__)
#define TAIN_COMPILER_TAG "gcc " TAIN_STR(__GNUC__)
#else
#define TAIN_COMPILER_TAG "unknown"
#endif

namespace tain {

/// Tag of the constructors that make an empty handle; the caller must fill it at once.
struct UnsafeInit {};

namespace internal {

/// The base of a class whose objects are neither copied nor moved.
struct NotCopied {
  NotCopied() = default;
  NotCopied(const NotCopied&) = delete;
  NotCopied& operator=(const NotCopied&) = delete;
};

/// Returns the record of the library that this file is compiled into. The symbol is hidden, so
/// every library has its own record.
TAIN_HIDDEN inline const TainUnit* ThisUnit() noexcept {
  static const TainUnit unit = {
      TAIN_LAYOUT_VERSION, TAIN_ABI_VERSION_MAJOR, TAIN_ABI_VERSION_MINOR, 16,
      sizeof(TainObject),  TAIN_COMPILER_TAG,      TAIN_INTERNAL_UNIT_NAME};
  return &unit;
}

inline TainByteArray Bytes(const char* text) noexcept {
  return {text, text == nullptr ? 0 : std::strlen(text)};
}

}  // namespace internal
}  // namespace tain
