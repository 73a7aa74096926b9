// SPDX-License-Identifier: Apache-2.0
// Formats text, bytes and floating-point numbers as Python does.
#pragma once

#include <string>
#include <string_view>

namespace tain::internal {

/// Appends `'it is'`, with Python's quotes and escapes. Bytes that are not UTF-8 become `\xNN`.
void AppendStrRepr(std::string_view text, std::string* out);
/// The same in double quotes, for a key of a map in the place of an error.
void AppendKeyRepr(std::string_view text, std::string* out);
/// Appends `b'\x00abc'`.
void AppendBytesRepr(std::string_view data, std::string* out);
/// Appends the shortest text that reads back as the same number: `1.0`, `1e+16`, `inf`, `nan`.
void AppendFloatRepr(double value, std::string* out);
/// Returns the longest prefix of at most `size` bytes that does not split a character.
std::string_view Utf8Prefix(std::string_view text, size_t size) noexcept;

/// Returns a name as messages show it: what exceeds 200 bytes is replaced by `...`.
std::string ShortName(std::string_view name);

}  // namespace tain::internal
