// SPDX-License-Identifier: Apache-2.0
// MangledNameOf: the name of a C++ class that all libraries agree on, with and without RTTI.
#pragma once

#include <cxxabi.h>

#include <typeinfo>

#include "tain/base.h"

namespace tain::internal {

#if !TAIN_HAS_RTTI
/// Returns the name of a class from an exception, because exceptions have type_info in any case.
template <class T>
TAIN_COLD const char* NameByThrow() noexcept {
  try {
    throw static_cast<T*>(nullptr);
  } catch (...) {
    return abi::__cxa_current_exception_type()->name() + 1;  // after the P of a pointer
  }
}
#endif

/// Returns `typeid(T).name()`, also where -fno-rtti forbids typeid.
template <class T>
inline const char* MangledNameOf() noexcept {
#if TAIN_HAS_RTTI
  return typeid(T).name();
#else
  static const char* const name = NameByThrow<T>();
  return name;
#endif
}

/// Whether two such names are those of one class.
inline bool AreOneName(const char* a, const char* b) noexcept {
  return a == b || std::strcmp(a, b) == 0;
}

}  // namespace tain::internal
