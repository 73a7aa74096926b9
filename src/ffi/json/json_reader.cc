// SPDX-License-Identifier: Apache-2.0
// Reads the tokens of JSON text; see json_reader.h.
#include "json/json_reader.h"

#include <array>
#include <charconv>

#include "base/text_repr.h"
#include "base/utf8.h"
#include "tain/big_int.h"

namespace tain::internal {
namespace {

/// Characters at which the plain part of a string ends.
constexpr auto kEndsPlain = [] {
  std::array<bool, 256> table{};
  for (size_t i = 0; i < 32; ++i) table[i] = true;
  table['"'] = table['\\'] = true;
  return table;
}();

bool EndsPlain(char c) noexcept { return kEndsPlain[static_cast<unsigned char>(c)]; }

bool BelongsToNumber(char c) noexcept {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Whether a text is a number by the grammar of JSON. `is_int` receives whether it has neither a
/// fraction nor an exponent.
bool IsJsonNumber(std::string_view text, bool* is_int) noexcept {
  size_t i = 0;
  const auto digits = [&] {
    const size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const bool zero = i < text.size() && text[i] == '0';
  const size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  *is_int = i == text.size();
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

}  // namespace

void JsonReader::Fail(const std::string& what) {
  TAIN_THROW(ValueError) << where_ << ": byte " << in_.position() << ": " << what;
}

void JsonReader::FailExpected(char c) {
  const char next = Peek();
  std::string found = "the end";
  if (next != '\0' || in_.More()) {
    found.clear();
    AppendStrRepr({&next, 1}, &found);
  }
  Fail(std::string("expected '") + c + "', got " + found);
}

void JsonReader::ExpectEnd() {
  if (Peek() != '\0' || in_.More()) Fail("expected the end");
}

std::string_view JsonReader::String() {
  if (TAIN_UNLIKELY(Peek() != '"')) FailExpected('"');
  const char* start = ++in_.next;
  const char* at = start;
  char seen = 0;
  while (at != in_.end && !EndsPlain(*at)) seen |= *at++;
  if (TAIN_UNLIKELY(at == in_.end || *at != '"')) return LongString(at);
  in_.next = at + 1;
  const std::string_view text(start, static_cast<size_t>(at - start));
  if (TAIN_UNLIKELY((seen & '\x80') != 0 && !IsUtf8(text))) Fail("a string is not UTF-8");
  return text;
}

/// Takes a string with escapes or in several parts; what precedes `at` is plain.
std::string_view JsonReader::LongString(const char* at) {
  text_.assign(in_.next, at);
  in_.next = at;
  for (;;) {
    if (!in_.More()) Fail("the text ends within a string");
    const char c = *in_.next;
    if (c == '"') break;
    if (c == '\\') {
      ++in_.next;
      Escape();
      continue;
    }
    if (EndsPlain(c)) Fail("a control character in a string must be escaped");
    const char* end = in_.next;
    while (end != in_.end && !EndsPlain(*end)) ++end;
    text_.append(in_.next, end);
    in_.next = end;
  }
  ++in_.next;
  if (!IsUtf8(text_)) Fail("a string is not UTF-8");
  return text_;
}

uint32_t JsonReader::HexWord() {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) {
    if (!in_.More()) Fail("the text ends within an escape");
    const char c = *in_.next++;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) Fail("expected four hexadecimal digits after \\u");
    word = word << 4 | static_cast<uint32_t>(digit);
  }
  return word;
}

void JsonReader::Escape() {
  if (!in_.More()) Fail("the text ends within an escape");
  const char c = *in_.next++;
  switch (c) {
    case '"':
    case '\\':
    case '/': text_ += c; return;
    case 'b': text_ += '\b'; return;
    case 'f': text_ += '\f'; return;
    case 'n': text_ += '\n'; return;
    case 'r': text_ += '\r'; return;
    case 't': text_ += '\t'; return;
    case 'u': break;
    default: Fail("an unknown escape in a string");
  }
  uint32_t code = HexWord();
  if (code >= 0xd800 && code < 0xdc00) {
    const bool follows = in_.More() && *in_.next++ == '\\' && in_.More() && *in_.next++ == 'u';
    const uint32_t low = follows ? HexWord() : 0;
    if (low < 0xdc00 || low > 0xdfff) Fail("a surrogate in a string is not one of a pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xdc00 && code <= 0xdfff) {
    Fail("a surrogate in a string is not one of a pair");
  }
  AppendCharacter(code, &text_);
}

void JsonReader::Literal(std::string_view text) {
  for (const char c : text) {
    if (!in_.More() || *in_.next != c) Fail("expected a value");
    ++in_.next;
  }
}

void JsonReader::Scalar(TainAny* out) {
  *out = TainAny{};
  switch (Peek()) {
    case 'n': return Literal("null");
    case 't':
      out->type_index = kTainBool;
      out->v_int64 = 1;
      return Literal("true");
    case 'f': out->type_index = kTainBool; return Literal("false");
    default: return Number(out);
  }
}

void JsonReader::Number(TainAny* out) {
  if (TAIN_LIKELY(TakeSmallNumber(&out->v_int64))) {
    out->type_index = kTainInt;
    return;
  }
  text_.clear();
  while (in_.More() && BelongsToNumber(*in_.next)) {
    if (text_.size() > kMaxDigits) Fail("a number of too many digits");
    text_ += *in_.next++;
  }
  bool is_int = false;
  if (!IsJsonNumber(text_, &is_int)) Fail("expected a value");
  const char* end = text_.data() + text_.size();
  if (is_int && text_ != "-0") {
    out->type_index = kTainInt;
    if (std::from_chars(text_.data(), end, out->v_int64).ec == std::errc()) return;
    return BigIntFromText(text_, out);
  }
  out->type_index = is_int ? kTainInt : kTainFloat;
  if (is_int) return;  // -0
  const auto result = std::from_chars(text_.data(), end, out->v_float64);
  if (result.ec != std::errc()) Fail("a number is beyond the range of a float");
}

int64_t JsonReader::Count() {
  TainAny value{};
  Scalar(&value);
  const Any owned = Any::Steal(value);
  if (value.type_index != kTainInt || value.v_int64 < 0) Fail("expected an integer of 0 or more");
  return value.v_int64;
}

}  // namespace tain::internal
