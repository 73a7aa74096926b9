// SPDX-License-Identifier: Apache-2.0
// Refuses libraries that are bound to another runtime of the binary contract.
//
// They call its C functions, TVMFFI..., so their types, functions and errors are in its tables.
// tain would not find them, and the indices of the two runtimes would get mixed up.
#pragma once

#include <string>

namespace tain::internal {

/// Throws ImportError, which names the symbol and the library that provides it, if a library calls
/// another runtime. `path` is the file that is going to be loaded, `shown` its name for the user.
void RefuseOtherRuntime(const std::string& path, const std::string& shown);

}  // namespace tain::internal
