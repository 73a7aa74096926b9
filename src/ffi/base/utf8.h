// SPDX-License-Identifier: Apache-2.0
// Which bytes are text. A lone surrogate crosses as its three bytes, as Python's "surrogatepass"
// writes and reads them; other bytes that are not UTF-8 are no text.
#pragma once

#include <string_view>

namespace tain::internal {

/// Whether all bytes are ASCII.
bool IsAscii(const char* data, size_t size) noexcept;
/// Whether bytes are UTF-8, without surrogates; characters of ASCII are checked quickly.
bool IsUtf8(std::string_view bytes) noexcept;
/// Whether bytes are text: UTF-8, which may have surrogates.
bool IsText(std::string_view bytes) noexcept;

}  // namespace tain::internal
