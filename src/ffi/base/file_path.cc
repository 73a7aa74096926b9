// SPDX-License-Identifier: Apache-2.0
// Paths as text; see file_path.h.
#include "base/file_path.h"

#include "base/guard.h"

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
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    // U+DC80 to U+DCFF are ED B2 80 to ED B3 BF.
    const bool is_byte = byte(i) == 0xED && (byte(i + 1) == 0xB2 || byte(i + 1) == 0xB3) &&
                         (byte(i + 2) & 0xC0U) == 0x80;
    if (is_byte) {
      path += static_cast<char>(((byte(i + 1) & 1U) << 6) | (byte(i + 2) & 0x3FU) | 0x80U);
      i += 2;
    } else {
      path += text[i];
    }
  }
  return path;
}

}  // namespace tain::internal
