// SPDX-License-Identifier: Apache-2.0
// The enum that a type expression names.
#pragma once

#include <string_view>

#include "tain/c_api_registry.h"

namespace tain::internal {

/// Returns the key of the enum that a type expression names: `geometry.Color` for `geometry.Color`
/// and for `geometry.Color | None`.
inline TainByteArray EnumKeyOf(TainByteArray type) noexcept {
  constexpr std::string_view kOrNone = " | None";
  const std::string_view text(type.data, type.size);
  if (text.size() > kOrNone.size() && text.substr(text.size() - kOrNone.size()) == kOrNone) {
    type.size -= kOrNone.size();
  }
  return type;
}
/// Returns the enum that a type expression names, also as one of several alternatives; null if it
/// names none.
TAIN_DLL const TainEnumInfo* EnumOfType(std::string_view type);

}  // namespace tain::internal
