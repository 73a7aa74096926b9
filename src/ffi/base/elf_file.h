// SPDX-License-Identifier: Apache-2.0
// Checks whether the file of a shared library is complete. The loader maps the segments of an ELF
// file without a check, and an access to a missing part ends the process by SIGBUS.
#pragma once

#include <string>

namespace tain::internal {

/// Returns a text such as `400000 bytes of at least 1234567` for a truncated ELF file. Empty for a
/// complete file, and for a file that is not an ELF file of this machine's byte order.
std::string MissingEndOf(const std::string& path);

}  // namespace tain::internal
