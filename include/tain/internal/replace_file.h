// SPDX-License-Identifier: Apache-2.0
// Files that are written as a whole.
#pragma once

#include <string>
#include <string_view>

#include "tain/c_api.h"

namespace tain::internal {

/// Makes `content` that of a file. An old file keeps its content until the new one is complete, for
/// those who have mapped it too; a symbolic link stays, and devices and pipes are written to. `where`
/// names the caller in the ValueError for a path that is empty or contains a NUL. Throws OSError if
/// the file cannot be written.
TAIN_DLL void ReplaceFile(const std::string& path, std::string_view content, const char* where);

}  // namespace tain::internal
