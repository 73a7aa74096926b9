// SPDX-License-Identifier: Apache-2.0
// The parts of JSON's text: strings, numbers, base64.
#pragma once

#include <string>
#include <string_view>

namespace tain::internal {

/// Appends a string in quotes. The text must be UTF-8.
void WriteJsonString(std::string_view text, std::string* out);
/// Appends a number that JSON can express, so that it is read as a float again: `1.0`.
void WriteJsonFloat(double value, std::string* out);
void WriteJsonFloat(float value, std::string* out);
void WriteJsonInt(int64_t value, std::string* out);
/// Appends base64 with padding.
void WriteBase64(std::string_view bytes, std::string* out);
/// Replaces a text of base64 by its bytes. Returns false if it is none.
bool DecodeBase64(std::string* text) noexcept;

}  // namespace tain::internal
