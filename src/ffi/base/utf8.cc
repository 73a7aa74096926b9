// SPDX-License-Identifier: Apache-2.0
// Which bytes are text; see utf8.h.
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

}  // namespace tain::internal
