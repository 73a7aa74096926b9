// SPDX-License-Identifier: Apache-2.0
// Paths of files that arrive as text.
#pragma once

#include <string>
#include <string_view>

namespace tain::internal {

/// Returns the bytes of a path. Text of Python has a lone surrogate for each byte of a path that is
/// not UTF-8 (PEP 383); it becomes that byte again. Throws ValueError, which names `where`, for a
/// path that is empty or contains a NUL.
std::string FilePath(std::string_view text, const char* where);

/// Throws the same for a path that is bytes: the system would take what precedes the NUL.
void CheckFilePath(std::string_view path, const char* where);

}  // namespace tain::internal
