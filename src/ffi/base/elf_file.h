// SPDX-License-Identifier: Apache-2.0
// Checks the file of a shared library before the loader sees it. The loader maps the segments of an
// ELF file without a check, and an access to a missing part ends the process by SIGBUS.
#pragma once

#include <string>

namespace tain::internal {

/// Returns why a file cannot be loaded here, such as `it is not whole (400000 bytes of at least
/// 1234567)` or `it was built for another kind of machine`. Empty for a complete library of this
/// machine, for a file that cannot be read, and on systems whose libraries are no ELF files.
std::string FaultOfLibrary(const std::string& path);

}  // namespace tain::internal
