// SPDX-License-Identifier: Apache-2.0
// Whether a static initializer runs: whoever called libtain there cannot catch an error.
#pragma once

#include <string>

namespace tain::internal {

/// The file of the library whose static initializer called us, however it is being loaded; empty if
/// there is none, and where the platform does not tell. Walks the stack.
std::string LibraryInInitialization();

}  // namespace tain::internal
