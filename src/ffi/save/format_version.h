// SPDX-License-Identifier: Apache-2.0
// The version of the forms of saved graphs. JSON has it in its first member, the binary form in the
// last byte of kBinaryMagic.
#pragma once

#include "tain/c_api.h"

namespace tain::internal {

inline constexpr int64_t kFormatVersion = 1;
inline constexpr const char* kUnknownVersion = "this version of the format is not known";

}  // namespace tain::internal
