// SPDX-License-Identifier: Apache-2.0
// UTF-8; see utf8.h.
#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace tain::internal {
namespace {

/// Returns the length of the character of several bytes at `text`, or 0 if there is none.
size_t CharacterLength(const unsigned char* text, size_t known, bool surrogates) noexcept {
  const auto follows = [&](size_t i) { return i < known && (text[i] & 0xc0) == 0x80; };
  if (text[0] >= 0xc2 && text[0] <= 0xdf) return follows(1) ? 2 : 0;
  if ((text[0] & 0xf0) == 0xe0) {
    if (!follows(1) || !follows(2)) return 0;
    const bool too_long = text[0] == 0xe0 && text[1] < 0xa0;
    const bool refused = !surrogates && text[0] == 0xed && text[1] >= 0xa0;
    return too_long || refused ? 0 : 3;
  }
  if (text[0] >= 0xf0 && text[0] <= 0xf4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    const bool too_long = text[0] == 0xf0 && text[1] < 0x90;
    const bool too_large = text[0] == 0xf4 && text[1] >= 0x90;
    return too_long || too_large ? 0 : 4;
  }
  return 0;
}

bool AreCharacters(std::string_view bytes, bool surrogates) noexcept {
  if (IsAscii(bytes.data(), bytes.size())) return true;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  for (size_t i = 0; i < bytes.size();) {
    const size_t length =
        data[i] < 0x80 ? 1 : CharacterLength(data + i, bytes.size() - i, surrogates);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace

bool IsAscii(const char* data, size_t size) noexcept {
  uint64_t seen = 0;
  while (size >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, data, 8);
    seen |= word;
    data += 8;
    size -= 8;
  }
  for (size_t i = 0; i < size; ++i) seen |= static_cast<unsigned char>(data[i]);
  return (seen & 0x8080808080808080U) == 0;
}

bool IsUtf8(std::string_view bytes) noexcept { return AreCharacters(bytes, false); }

bool IsText(std::string_view bytes) noexcept { return AreCharacters(bytes, true); }

Character FirstCharacter(std::string_view text) noexcept {
  const auto* data = reinterpret_cast<const unsigned char*>(text.data());
  if (data[0] < 0x80) return {data[0], 1};
  const size_t size = CharacterLength(data, text.size(), true);
  if (size == 0) return {-1, 1};
  int32_t code = data[0] & (0x7f >> size);
  for (size_t i = 1; i < size; ++i) code = (code << 6) | (data[i] & 0x3f);
  return {code, size};
}

void AppendCharacter(uint32_t code, std::string* out) {
  const auto put = [out](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      put(0xe0 | (code >> 12));
    } else {
      put(0xf0 | (code >> 18));
      put(0x80 | ((code >> 12) & 0x3f));
    }
    put(0x80 | ((code >> 6) & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

std::string TextOfBytes(std::string_view bytes) {
  std::string text;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  for (size_t i = 0; i < bytes.size();) {
    const size_t size = data[i] < 0x80 ? 1 : CharacterLength(data + i, bytes.size() - i, false);
    if (size == 0) {
      AppendCharacter(0xdc00U | data[i++], &text);
    } else {
      text.append(bytes.substr(i, size));
      i += size;
    }
  }
  return text;
}

int32_t EscapedByte(std::string_view text) noexcept {
  const Character first = FirstCharacter(text);
  return first.code >= 0xdc80 && first.code <= 0xdcff ? first.code & 0xff : -1;
}

}  // namespace tain::internal
