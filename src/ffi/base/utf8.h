// SPDX-License-Identifier: Apache-2.0
// UTF-8: which bytes are text, characters of text and back. A lone surrogate crosses as its three bytes, as Python's "surrogatepass"
// writes and reads them; other bytes that are not UTF-8 are no text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tain::internal {

/// Whether all bytes are ASCII.
bool IsAscii(const char* data, size_t size) noexcept;
/// Whether bytes are UTF-8, without surrogates; characters of ASCII are checked quickly.
bool IsUtf8(std::string_view bytes) noexcept;
/// Whether bytes are text: UTF-8, which may have surrogates.
bool IsText(std::string_view bytes) noexcept;

/// A character and its number of bytes; -1 and one byte where none begins.
struct Character {
  int32_t code;
  size_t size;
};
/// Reads the character, which may be a surrogate, that begins a text. The text is not empty.
Character FirstCharacter(std::string_view text) noexcept;
/// Appends a character, which is not checked.
void AppendCharacter(uint32_t code, std::string* out);

/// Returns text for bytes: each that is not UTF-8 becomes one of the surrogates U+DC80 to U+DCFF
/// (PEP 383).
std::string TextOfBytes(std::string_view bytes);
/// Returns the byte for which the surrogate stands that begins a text; -1 if there is none.
int32_t EscapedByte(std::string_view text) noexcept;

}  // namespace tain::internal
