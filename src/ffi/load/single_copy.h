// SPDX-License-Identifier: Apache-2.0
// Which files of the process define a symbol, whether or not the loader would find it.
#pragma once

#include <string>
#include <vector>

namespace tain::internal {

/// Returns the loaded files that define a symbol, also those that were opened with RTLD_LOCAL; none
/// on systems whose libraries are no ELF files.
std::vector<std::string> FilesThatDefine(const char* symbol);

}  // namespace tain::internal
