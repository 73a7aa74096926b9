// SPDX-License-Identifier: Apache-2.0
// Base64Encode and Base64Decode of tvm::ffi: bytes as text, RFC 4648 with padding.
#pragma once

#include <string>
#include <string_view>

#include "tain/error.h"
#include "tain/string.h"

namespace tain::interop::ffi {

inline constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns the text of bytes.
inline String Base64Encode(TainByteArray bytes) {
  std::string text;
  text.reserve((bytes.size + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size; i += 3) {
    const size_t count = bytes.size - i < 3 ? bytes.size - i : 3;
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes.data[i + k]) : 0);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= count ? kBase64Digits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return String(text);
}
inline String Base64Encode(const Bytes& bytes) {
  return Base64Encode(TainByteArray{bytes.data(), bytes.size()});
}

/// Returns the bytes of a text. Throws ValueError if the text is no base64.
inline Bytes Base64Decode(TainByteArray text) {
  const auto fail = [] { TAIN_INTERNAL_THROW(ValueError) << "Invalid base64 text"; };
  if (text.size % 4 != 0) fail();
  std::string bytes;
  bytes.reserve(text.size / 4 * 3);
  for (size_t i = 0; i < text.size; i += 4) {
    const bool last = i + 4 == text.size;
    size_t padding = 0;
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      const char c = text.data[i + k];
      const size_t digit = kBase64Digits.find(c);
      const bool pads = c == '=' && last && k >= 2;
      if (pads ? false : padding > 0 || digit == std::string_view::npos) fail();
      padding += pads ? 1 : 0;
      group = group << 6 | (pads ? 0 : static_cast<uint32_t>(digit));
    }
    for (size_t k = 0; k + padding < 3; ++k) {
      bytes += static_cast<char>(group >> (16 - 8 * k) & 255);
    }
  }
  return Bytes(std::string_view(bytes));
}
inline Bytes Base64Decode(const String& text) {
  return Base64Decode(TainByteArray{text.data(), text.size()});
}

}  // namespace tain::interop::ffi
