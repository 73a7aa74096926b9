// SPDX-License-Identifier: Apache-2.0
// How Python writes text, bytes and floating-point numbers.
#pragma once

#include <string>
#include <string_view>

namespace tain::internal {

/// `'it is'`, with Python's choice of quotes and escapes. Bytes that are not UTF-8 become `\xNN`.
void AppendStrRepr(std::string_view text, std::string* out);
/// The same in double quotes: the key of a map inside the place of an error.
void AppendKeyRepr(std::string_view text, std::string* out);
/// `b'\x00abc'`.
void AppendBytesRepr(std::string_view data, std::string* out);
/// The shortest text that reads back as the same number: `1.0`, `1e+16`, `inf`, `nan`.
void AppendFloatRepr(double value, std::string* out);
/// The longest prefix of at most `size` bytes that does not split a character.
std::string_view Utf8Prefix(std::string_view text, size_t size) noexcept;

}  // namespace tain::internal
