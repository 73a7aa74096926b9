// SPDX-License-Identifier: Apache-2.0
// Whether the file of a shared library is whole. The loader maps the segments of an ELF file
// without asking, and whoever touches what the file does not have is ended by SIGBUS.
#pragma once

#include <string>

namespace tain::internal {

/// `400000 bytes of at least 1234567` for an ELF file that is cut short; empty for one that is not,
/// and for what is no ELF file of this machine's byte order.
std::string MissingEndOf(const std::string& path);

}  // namespace tain::internal
