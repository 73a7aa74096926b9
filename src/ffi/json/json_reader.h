// SPDX-License-Identifier: Apache-2.0
// Reads the tokens of JSON text from memory or in parts. It has no stack: who calls it knows what
// may come next.
#pragma once

#include "json/byte_stream.h"
#include "tain/any.h"

namespace tain::internal {

class JsonReader {
 public:
  JsonReader(const char* where, ByteSource* source) : where_(where), in_(*source) {}

  /// Returns the next character that is no blank, without taking it; 0 at the end.
  char Peek() {
    for (;;) {
      if (TAIN_UNLIKELY(!in_.More())) return '\0';
      const char c = *in_.next;
      if (TAIN_LIKELY(c != ' ' && c != '\n' && c != '\t' && c != '\r')) return c;
      ++in_.next;
    }
  }
  /// Takes the next character if it is `c`.
  bool Take(char c) {
    if (Peek() != c) return false;
    ++in_.next;
    return true;
  }
  /// Takes the next character, which must be `c`.
  void Expect(char c) {
    if (TAIN_UNLIKELY(!Take(c))) FailExpected(c);
  }
  /// Takes a string. The result is valid until the next token.
  std::string_view String();
  /// Takes the name of a member and the colon after it.
  std::string_view Name() {
    if (Peek() != '"') Fail("expected a name in quotes");
    const std::string_view name = String();
    if (TAIN_LIKELY(in_.next != in_.end && *in_.next == ':')) {  // the name stays where it is
      ++in_.next;
      return name;
    }
    name_ = name;  // blanks may be in the next part
    Expect(':');
    return name_;
  }
  /// Takes the name of a member if it is `quoted`, which includes the quotes and the colon.
  bool TakeName(std::string_view quoted) {
    if (Peek() != '"' || in_.known() < quoted.size()) return false;
    if (std::memcmp(in_.next, quoted.data(), quoted.size()) != 0) return false;
    in_.next += quoted.size();
    return true;
  }
  /// Takes an integer without sign if it is short and stands in one piece, as most do.
  bool TakeSmallNumber(int64_t* out) {
    constexpr ptrdiff_t kMost = 18;
    const char* const start = in_.next;
    const char* at = start;
    int64_t value = 0;
    while (at != in_.end && at - start < kMost && *at >= '0' && *at <= '9') {
      value = value * 10 + (*at++ - '0');
    }
    if (at == start || at == in_.end || (*start == '0' && at - start > 1)) return false;
    if (*at != ',' && *at != '}' && *at != ']' && *at != '\n') return false;
    in_.next = at;
    *out = value;
    return true;
  }
  /// Takes a number, null, true or false.
  void Scalar(TainAny* out);
  /// Takes an integer of 0 or more.
  int64_t Count();
  /// Checks that nothing but blanks follows.
  void ExpectEnd();

  [[noreturn]] void Fail(const std::string& what);

 private:
  [[noreturn]] void FailExpected(char c);
  std::string_view LongString(const char* start);
  void Escape();
  uint32_t HexWord();
  void Number(TainAny* out);
  void Literal(std::string_view text);

  static constexpr size_t kMaxDigits = 4300;  ///< of an integer, as Python's int() has it
  const char* where_;
  ByteSource& in_;
  std::string text_;  ///< of a string that is not in one piece, and of a number
  std::string name_;
};

}  // namespace tain::internal
