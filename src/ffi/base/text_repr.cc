// SPDX-License-Identifier: Apache-2.0
// Formats text, bytes and floating-point numbers as Python does.
#include "base/text_repr.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "base/utf8.h"

namespace tain::internal {
namespace {

/// The characters beyond ASCII that Python escapes: separators, formats, surrogates, private use.
/// (Python also escapes characters that its version of Unicode does not define.)
struct Range {
  int32_t first, last;
};
constexpr Range kEscaped[] = {
    {0x80, 0xa0},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},
    {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},
    {0x1680, 0x1680},   {0x180e, 0x180e},   {0x2000, 0x200f},   {0x2028, 0x202f},
    {0x205f, 0x206f},   {0x3000, 0x3000},   {0xd800, 0xf8ff},   {0xfdd0, 0xfdef},
    {0xfeff, 0xfeff},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110bd},
    {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0x1fffe, 0x1ffff}, {0x2fffe, 0x2ffff}, {0x3fffe, 0xe00ff}, {0xe01f0, 0x10ffff},
};

bool IsEscaped(int32_t code) noexcept {
  if (code < 0x7f) return code < 0x20;
  if (code == 0x7f) return true;
  for (const Range& range : kEscaped) {
    if (code <= range.last) return code >= range.first;
  }
  return false;
}

void AppendHex(char mark, int digits, uint32_t code, std::string* out) {
  *out += '\\';
  *out += mark;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    *out += "0123456789abcdef"[(code >> shift) & 0xf];
  }
}

/// Appends an escape that text and bytes have in common; false if `c` needs none of these.
bool AppendSimpleEscape(char c, char quote, std::string* out) {
  switch (c) {
    case '\n': *out += "\\n"; return true;
    case '\r': *out += "\\r"; return true;
    case '\t': *out += "\\t"; return true;
    default:
      if (c != '\\' && c != quote) return false;
      *out += '\\';
      *out += c;
      return true;
  }
}

char QuoteFor(std::string_view text) noexcept {
  const bool has_single = text.find('\'') != std::string_view::npos;
  return has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
}

void AppendQuoted(std::string_view text, char quote, std::string* out) {
  *out += quote;
  while (!text.empty()) {
    const auto [code, size] = FirstCharacter(text);
    if (code < 0) {
      AppendHex('x', 2, static_cast<unsigned char>(text[0]), out);
    } else if (size == 1 && AppendSimpleEscape(text[0], quote, out)) {
      // written
    } else if (!IsEscaped(code)) {
      out->append(text.substr(0, size));
    } else if (code < 0x100) {
      AppendHex('x', 2, static_cast<uint32_t>(code), out);
    } else if (code < 0x10000) {
      AppendHex('u', 4, static_cast<uint32_t>(code), out);
    } else {
      AppendHex('U', 8, static_cast<uint32_t>(code), out);
    }
    text.remove_prefix(size);
  }
  *out += quote;
}

}  // namespace

void AppendStrRepr(std::string_view text, std::string* out) {
  AppendQuoted(text, QuoteFor(text), out);
}

void AppendKeyRepr(std::string_view text, std::string* out) { AppendQuoted(text, '"', out); }

void AppendBytesRepr(std::string_view data, std::string* out) {
  const char quote = QuoteFor(data);
  *out += 'b';
  *out += quote;
  for (const char c : data) {
    const auto byte = static_cast<unsigned char>(c);
    if (AppendSimpleEscape(c, quote, out)) continue;
    if (byte < 0x20 || byte >= 0x7f) {
      AppendHex('x', 2, byte, out);
    } else {
      *out += c;
    }
  }
  *out += quote;
}

void AppendFloatRepr(double value, std::string* out) {
  if (std::isnan(value)) {
    *out += "nan";
    return;
  }
  if (std::isinf(value)) {
    *out += value < 0 ? "-inf" : "inf";
    return;
  }
  // The shortest digits as d.ddde+NN. Python writes no exponent if -4 <= exponent < 16.
  char buffer[40];
  const auto written =
      std::to_chars(std::begin(buffer), std::end(buffer), value, std::chars_format::scientific);
  std::string_view text(buffer, static_cast<size_t>(written.ptr - buffer));
  const size_t mark = text.find('e');
  const bool negative_exponent = text[mark + 1] == '-';
  int exponent = 0;
  std::from_chars(buffer + mark + 2, written.ptr, exponent);
  if (negative_exponent) exponent = -exponent;
  if (exponent < -4 || exponent >= 16) {
    out->append(text);
    return;
  }
  if (text[0] == '-') {
    *out += '-';
    text.remove_prefix(1);
  }
  std::string digits(1, text[0]);
  const size_t end = text.find('e');
  if (end > 2) digits.append(text.substr(2, end - 2));
  if (exponent < 0) {
    out->append("0.").append(static_cast<size_t>(-exponent - 1), '0').append(digits);
    return;
  }
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) {
    out->append(digits).append(whole - digits.size(), '0').append(".0");
  } else {
    out->append(digits, 0, whole).append(".").append(digits, whole);
  }
}

std::string_view Utf8Prefix(std::string_view text, size_t size) noexcept {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

std::string ShortName(std::string_view name) {
  constexpr size_t kMost = 200;
  const std::string_view shown = Utf8Prefix(name, kMost);
  return std::string(shown) + (shown.size() < name.size() ? "..." : "");
}

}  // namespace tain::internal
