// SPDX-License-Identifier: Apache-2.0
// StaticText: a text that may be part of an annotation or of a template argument.
#pragma once

#if defined(__cpp_impl_reflection)
#include <meta>
#include <string_view>
#endif

namespace tain::internal {

/// Returns the text. While a constant is computed, a compiler with reflection returns a copy in an
/// array that has a name, because a template argument cannot point to a string literal.
constexpr const char* StaticText(const char* text) noexcept {
#if defined(__cpp_impl_reflection)
  if consteval {
    return std::define_static_string(std::string_view(text));
  }
#endif
  return text;
}

}  // namespace tain::internal
