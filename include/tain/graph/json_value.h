// SPDX-License-Identifier: Apache-2.0
// JSON text of plain values, for settings and messages: None, bool, int, float, str, Array and Map.
//
//   tain::Any value = tain::ParseJson(R"({"size": [1, 2.5]})");
//   std::string text = tain::WriteJson(value, 2);
// An object of JSON is a Map, an array an Array. For graphs of objects see json.h, which writes
// another text. Beyond JSON both accept NaN, Infinity and -Infinity, as Python's json does.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/container/map.h"

namespace tain {
namespace internal {

/// How deep values may be nested, because both directions use the C stack.
inline constexpr int kJsonDepth = 512;

/// Reads one text.
class JsonParser : NotCopied {
 public:
  explicit JsonParser(std::string_view text) noexcept : text_(text) {}

  Any Parse() {
    Any value = Value(0);
    Blanks();
    if (at_ != text_.size()) Fail("Extra data");
    return value;
  }

 private:
  [[noreturn]] TAIN_COLD void Fail(const char* what) const {
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at_ && i < text_.size(); ++i) {
      if (text_[i] == '\n') line += 1, start = i + 1;
    }
    TAIN_INTERNAL_THROW(ValueError)
        << what << ": line " << line << " column " << at_ - start + 1 << " (char " << at_ << ")";
  }
  void Blanks() noexcept {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }
  bool Take(std::string_view word) noexcept {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  Any Value(int depth) {
    if (depth > kJsonDepth) Fail("Nested too deeply");
    Blanks();
    if (Take("{")) return Members(depth);
    if (Take("[")) return Elements(depth);
    if (Take("\"")) return Any(String(Text()));
    if (Take("null")) return Any();
    if (Take("true")) return Any(true);
    if (Take("false")) return Any(false);
    if (Take("NaN")) return Any(std::numeric_limits<double>::quiet_NaN());
    if (Take("Infinity")) return Any(std::numeric_limits<double>::infinity());
    if (Take("-Infinity")) return Any(-std::numeric_limits<double>::infinity());
    return Number();
  }
  Any Members(int depth) {
    Map<Any, Any> members;
    Blanks();
    if (Take("}")) return Any(std::move(members));
    while (true) {
      Blanks();
      if (!Take("\"")) Fail("Expecting property name enclosed in double quotes");
      Any key = String(Text());
      Blanks();
      if (!Take(":")) Fail("Expecting ':' delimiter");
      members.Set(key, Value(depth + 1));
      Blanks();
      if (Take("}")) return Any(std::move(members));
      if (!Take(",")) Fail("Expecting ',' delimiter");
    }
  }
  Any Elements(int depth) {
    Array<Any> elements;
    Blanks();
    if (Take("]")) return Any(std::move(elements));
    while (true) {
      elements.push_back(Value(depth + 1));
      Blanks();
      if (Take("]")) return Any(std::move(elements));
      if (!Take(",")) Fail("Expecting ',' delimiter");
    }
  }
  size_t Digits() noexcept {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ - begin;
  }
  Any Number() {
    const size_t begin = at_;
    (void)Take("-");
    const size_t first = at_;
    if (Digits() == 0 || (text_[first] == '0' && at_ - first > 1)) {
      at_ = begin;
      Fail("Expecting value");
    }
    bool whole = true;
    if (Take(".")) {
      whole = false;
      if (Digits() == 0) Fail("Expecting digits");
    }
    if (Take("e") || Take("E")) {
      whole = false;
      if (!Take("+")) (void)Take("-");
      if (Digits() == 0) Fail("Expecting digits");
    }
    const char* from = text_.data() + begin;
    const char* to = text_.data() + at_;
    int64_t integer = 0;
    if (whole && std::from_chars(from, to, integer).ec == std::errc()) return Any(integer);
    double number = 0;
    if (std::from_chars(from, to, number).ec == std::errc::result_out_of_range) {
      number = std::strtod(std::string(from, to).c_str(), nullptr);  // 0 or infinity
    }
    return Any(number);
  }
  std::string Text() {
    std::string out;
    while (true) {
      if (at_ >= text_.size()) Fail("Unterminated string");
      const char c = text_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) {
        --at_;
        Fail("Invalid control character");
      }
      if (c == '\\') {
        Escape(&out);
      } else {
        out += c;
      }
    }
  }
  void Escape(std::string* out) {
    static constexpr std::string_view kNames = "\"\\/bfnrt";
    static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (Take("u")) {
      uint32_t code = Hex();
      if (code >= 0xD800 && code < 0xDC00) {
        const size_t back = at_;
        const uint32_t low = Take("\\u") ? Hex() : 0;
        if (low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else {
          at_ = back;
        }
      }
      return Utf8(code, out);
    }
    const size_t found = at_ < text_.size() ? kNames.find(text_[at_]) : std::string_view::npos;
    if (found == std::string_view::npos) Fail("Invalid \\escape");
    ++at_;
    *out += kMeant[found];
  }
  uint32_t Hex() {
    uint32_t code = 0;
    const char* from = text_.data() + at_;
    const char* to = from + (text_.size() - at_ < 4 ? text_.size() - at_ : 4);
    if (to - from != 4 || std::from_chars(from, to, code, 16).ptr != to) {
      Fail("Invalid \\uXXXX escape");
    }
    at_ += 4;
    return code;
  }
  static void Utf8(uint32_t code, std::string* out) {
    const auto tail = [&](int shift) {
      *out += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x80) {
      *out += static_cast<char>(code);
    } else if (code < 0x800) {
      *out += static_cast<char>(0xC0 | (code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      *out += static_cast<char>(0xE0 | (code >> 12));
      tail(6), tail(0);
    } else {
      *out += static_cast<char>(0xF0 | (code >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

/// Writes one value.
class JsonWriter : NotCopied {
 public:
  explicit JsonWriter(int indent) noexcept : indent_(indent) {}

  std::string Write(const Any& value) {
    Value(value, 0);
    return std::move(out_);
  }

 private:
  void Value(const Any& value, int depth) {
    if (depth > kJsonDepth) {
      TAIN_INTERNAL_THROW(ValueError) << "WriteJson: the value is nested too deeply";
    }
    switch (value.type_index()) {
      case kTainNone: out_ += "null"; return;
      case kTainBool: out_ += value.data().v_int64 != 0 ? "true" : "false"; return;
      case kTainInt: out_ += std::to_string(value.data().v_int64); return;
      case kTainFloat: return Number(value.data().v_float64);
      case kTainArray: return Sequence(value.cast<Array<Any>>(), depth);
      case kTainList: return Sequence(value.cast<List<Any>>(), depth);
      case kTainMap: return Members(value.cast<Map<Any, Any>>(), depth);
      case kTainDict: return Members(value.cast<Dict<Any, Any>>(), depth);
      default:
        if (auto text = value.as<String>()) return Text(*text);
        TAIN_INTERNAL_THROW(TypeError)
            << "WriteJson: a value of type " << value.GetTypeKey() << " has no JSON";
    }
  }
  void Number(double number) {
    if (std::isnan(number)) {
      out_ += "NaN";
    } else if (std::isinf(number)) {
      out_ += number > 0 ? "Infinity" : "-Infinity";
    } else {
      char text[40];
      const char* end = std::to_chars(&text[0], &text[40], number).ptr;
      const std::string_view digits(&text[0], static_cast<size_t>(end - &text[0]));
      out_ += digits;
      if (digits.find_first_of(".e") == std::string_view::npos) out_ += ".0";
    }
  }
  void Line(int depth) {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * static_cast<size_t>(depth), ' ');
  }
  template <class Seq>
  void Sequence(const Seq& elements, int depth) {
    bool first = true;
    out_ += '[';
    for (const Any& element : elements) {
      if (!std::exchange(first, false)) out_ += ',';
      Line(depth + 1);
      Value(element, depth + 1);
    }
    if (!first) Line(depth);
    out_ += ']';
  }
  template <class Mapping>
  void Members(const Mapping& members, int depth) {
    bool first = true;
    out_ += '{';
    for (const auto& [key, value] : members) {
      const auto name = Any(key).template as<String>();
      if (!name) {
        TAIN_INTERNAL_THROW(TypeError)
            << "WriteJson: expected str as key, got " << Any(key).GetTypeKey();
      }
      if (!std::exchange(first, false)) out_ += ',';
      Line(depth + 1);
      Text(*name);
      out_ += indent_ < 0 ? ":" : ": ";
      Value(Any(value), depth + 1);
    }
    if (!first) Line(depth);
    out_ += '}';
  }
  void Text(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    static constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
    static constexpr std::string_view kNames = "\"\\bfnrt";
    out_ += '"';
    for (const char c : text) {
      const size_t found = kEscaped.find(c);
      if (found != std::string_view::npos) {
        out_ += '\\';
        out_ += kNames[found];
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out_ += "\\u00";
        out_ += kHex[c >> 4];
        out_ += kHex[c & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  int indent_;
  std::string out_;
};

}  // namespace internal

/// Returns the value of a JSON text. An int that does not fit int64 becomes a float. Throws
/// ValueError, with line and column, if the text is malformed or nested more than 512 deep.
inline Any ParseJson(std::string_view text) { return internal::JsonParser(text).Parse(); }

/// Returns the JSON text of a plain value. With an `indent` of 0 or more the text has lines. Throws
/// TypeError for a value that JSON has no form for, ValueError if it is nested more than 512 deep.
inline std::string WriteJson(const Any& value, int indent = -1) {
  return internal::JsonWriter(indent).Write(value);
}

}  // namespace tain
