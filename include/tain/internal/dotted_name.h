// SPDX-License-Identifier: Apache-2.0
// Dotted names, such as the key of a type: `geometry.Point` is `Point` in the namespace `geometry`.
#pragma once

#include <string_view>

namespace tain::internal {

/// Returns the part after the last dot: `Point`; the whole name if there is no dot.
constexpr std::string_view LastPart(std::string_view name) noexcept {
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0
}
/// Returns the part before the last dot: `geometry`; empty if there is no dot.
constexpr std::string_view NamespaceOf(std::string_view name) noexcept {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

}  // namespace tain::internal
