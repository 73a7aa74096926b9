// SPDX-License-Identifier: Apache-2.0
// Detects a running static initializer, whose caller cannot catch an error.
#pragma once

#include <string>

namespace tain::internal {

/// Returns the file of the library whose static initializer is running on this stack. Empty if
/// there is none, or if the platform cannot tell. Walks the stack.
std::string LibraryInInitialization();

}  // namespace tain::internal
