// SPDX-License-Identifier: Apache-2.0
// What a container remembers of the C++ type of its elements, for the host.
//
// The number stands in the upper bits of the word that counts changes (container_version.h). A
// container made by another library has no such word and remembers nothing.
#pragma once

#include <cstdint>

#include "tain/base.h"

namespace tain::internal {

/// Numbers from this one on are not remembered.
inline constexpr uint32_t kMaxDeclaredNumber = 1u << 16;

/// Returns the number that the host gave to the declared type of an Array, List, Map or Dict; 0 if
/// there is none.
TAIN_DLL uint32_t DeclaredNumberOf(const TainObject* container) noexcept;
TAIN_DLL void SetDeclaredNumber(TainObject* container, uint32_t number) noexcept;

}  // namespace tain::internal
