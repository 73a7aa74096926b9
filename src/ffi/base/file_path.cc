// SPDX-License-Identifier: Apache-2.0
// Paths as text; see file_path.h.
#include "base/file_path.h"

#include "base/guard.h"
#include "base/utf8.h"

namespace tain::internal {

void CheckFilePath(std::string_view path, const char* where) {
  if (path.empty()) TAIN_THROW(ValueError) << where << ": the path is empty";
  if (path.find('\0') != std::string_view::npos) {
    TAIN_THROW(ValueError) << where << ": the path contains a NUL";
  }
}

std::string FilePath(std::string_view text, const char* where) {
  CheckFilePath(text, where);
  std::string path;
  path.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const int32_t byte = EscapedByte(text.substr(i));
    path += byte < 0 ? text[i] : static_cast<char>(byte);
    i += byte < 0 ? 1 : 3;
  }
  return path;
}

}  // namespace tain::internal
