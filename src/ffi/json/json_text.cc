// SPDX-License-Identifier: Apache-2.0
// The parts of JSON's text; see json_text.h.
#include "json/json_text.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace tain::internal {
namespace {

constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of each character of base64; 255 for others.
constexpr auto kBase64Value = [] {
  std::array<uint8_t, 256> table{};
  for (auto& value : table) value = 255;
  for (uint8_t i = 0; i < 64; ++i) table[static_cast<uint8_t>(kBase64[i])] = i;
  return table;
}();

/// Which characters of a string are escaped.
constexpr auto kEscaped = [] {
  std::array<bool, 256> table{};
  for (size_t i = 0; i < 32; ++i) table[i] = true;
  table['"'] = table['\\'] = table[127] = true;
  return table;
}();

void WriteEscape(unsigned char c, std::string* out) {
  constexpr char kHex[] = "0123456789abcdef";
  out->push_back('\\');
  switch (c) {
    case '"': out->push_back('"'); return;
    case '\\': out->push_back('\\'); return;
    case '\n': out->push_back('n'); return;
    case '\r': out->push_back('r'); return;
    case '\t': out->push_back('t'); return;
    case '\b': out->push_back('b'); return;
    case '\f': out->push_back('f'); return;
    default: break;
  }
  out->append("u00");
  out->push_back(kHex[c >> 4]);
  out->push_back(kHex[c & 15]);
}

template <class T>
void WriteShortest(T value, std::string* out) {
  std::array<char, 32> room;
  const auto [end, error] = std::to_chars(room.data(), room.data() + room.size(), value);
  const std::string_view text(room.data(), static_cast<size_t>(end - room.data()));
  out->append(text);
  if (text.find_first_of(".e") == std::string_view::npos) out->append(".0");
}

}  // namespace

void WriteJsonString(std::string_view text, std::string* out) {
  out->push_back('"');
  size_t written = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!kEscaped[c]) continue;
    out->append(text.substr(written, i - written));
    WriteEscape(c, out);
    written = i + 1;
  }
  out->append(text.substr(written));
  out->push_back('"');
}

void WriteJsonFloat(double value, std::string* out) { WriteShortest(value, out); }
void WriteJsonFloat(float value, std::string* out) { WriteShortest(value, out); }

void WriteJsonInt(int64_t value, std::string* out) {
  if (value >= 0 && value < 10) return out->push_back(static_cast<char>('0' + value));
  std::array<char, 24> room;
  const auto [end, error] = std::to_chars(room.data(), room.data() + room.size(), value);
  out->append(room.data(), static_cast<size_t>(end - room.data()));
}

void WriteBase64(std::string_view bytes, std::string* out) {
  const auto at = [&](size_t i) -> uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  const size_t start = out->size();
  out->resize(start + (bytes.size() + 2) / 3 * 4);
  char* to = out->data() + start;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const uint32_t word = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    *to++ = kBase64[word >> 18];
    *to++ = kBase64[word >> 12 & 63];
    *to++ = i + 1 < bytes.size() ? kBase64[word >> 6 & 63] : '=';
    *to++ = i + 2 < bytes.size() ? kBase64[word & 63] : '=';
  }
}

bool DecodeBase64(std::string* text) noexcept {
  std::string& data = *text;
  if (data.size() % 4 != 0) return false;
  size_t padding = 0;
  while (padding < 2 && padding < data.size() && data[data.size() - 1 - padding] == '=') ++padding;
  const size_t characters = data.size() - padding;
  size_t to = 0;
  uint32_t word = 0;
  for (size_t i = 0; i < characters; ++i) {
    const uint8_t value = kBase64Value[static_cast<uint8_t>(data[i])];
    if (value == 255) return false;
    word = word << 6 | value;
    if (i % 4 == 0) continue;
    // After the second, third and fourth character of a group eight more bits are complete.
    const unsigned left = 6 - 2 * static_cast<unsigned>(i % 4);
    data[to++] = static_cast<char>(word >> left & 255);
  }
  const unsigned unused = padding == 0 ? 0 : 2 * static_cast<unsigned>(padding);
  if ((word & ((1U << unused) - 1)) != 0) return false;  // two texts would mean the same bytes
  data.resize(to);
  return true;
}

}  // namespace tain::internal
