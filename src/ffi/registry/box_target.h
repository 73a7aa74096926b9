// SPDX-License-Identifier: Apache-2.0
// Why a box has no object any more.
#pragma once

#include <string_view>

#include "tain/internal/box.h"

namespace tain::internal {

/// The fate of the object.
struct NoTarget {
  bool is_cleared;         ///< by the garbage collector: its use is a ReferenceError
  std::string_view what;   ///< goes on after the key of the type, and a colon
  std::string_view brief;  ///< the same in two words, for repr
};

/// Says it of a box whose target is null.
NoTarget WhyNoTarget(const BoxObj* box) noexcept;

}  // namespace tain::internal
