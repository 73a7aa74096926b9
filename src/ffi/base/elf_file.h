// SPDX-License-Identifier: Apache-2.0
// Checks the file of a shared library before the loader sees it. The loader maps the segments of an
// ELF file without a check, and an access to a missing part ends the process by SIGBUS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tain::internal {

/// Returns why a file cannot be loaded here, such as `it is not whole (400000 bytes of at least
/// 1234567)` or `it was built for another kind of machine`. Empty for a complete library of this
/// machine, for a file that cannot be read, and on systems whose libraries are no ELF files.
std::string FaultOfLibrary(const std::string& path);

/// A function or variable that a library needs from others.
struct NeededSymbol {
  std::string name;
  bool is_weak;  ///< the library loads without it
};
/// Returns the symbols whose names have a prefix that the library in a file needs. None for a file
/// without such symbols, for one that cannot be read, and on systems whose libraries are no ELF
/// files.
std::vector<NeededSymbol> NeededSymbols(const std::string& path, std::string_view prefix);

}  // namespace tain::internal
