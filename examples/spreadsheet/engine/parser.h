// SPDX-License-Identifier: Apache-2.0
// The parser of formulas. It makes nodes through a builder, so it knows nothing of their classes.
#pragma once

#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "address.h"
#include "value.h"

namespace spreadsheet {

/// Parses `SUM(B1:B3)*2`. Build::Node is a handle to a node; the other members of Build make nodes:
/// Number(double), Text(std::string), Reference(Address), Range(Address, Address),
/// Binary(Op, Node, Node) and Call(std::string, std::vector<Node>).
template <class Build>
class Parser {
 public:
  using Node = typename Build::Node;

  explicit Parser(std::string_view text) : text_(text) {}

  /// Returns the node of the whole text. Throws ParseError.
  Node ParseAll() {
    Node node = ParseBinary(1);
    Peek();
    if (at_ != text_.size()) Fail("expected an operator");
    return node;
  }

 private:
  static constexpr int kMaxDepth = 200;  // of parentheses: the parser needs the C stack for them

  [[noreturn]] void Fail(const std::string& what) const {
    ParseError error(what + " at position " + std::to_string(at_) + " of '" + std::string(text_) +
                     "'");
    error.formula = std::string(text_);
    error.position = static_cast<int64_t>(at_);
    throw error;
  }

  /// Skips blanks and returns the next character; NUL at the end.
  char Peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  /// Operands that operators of at least this precedence join, from left to right.
  Node ParseBinary(int least) {
    Node left = ParseSigned();
    while (true) {
      const char c = Peek();
      int found = -1;
      for (int i = 0; i < static_cast<int>(std::size(kSymbols)); ++i) {
        if (kSymbols[i][0] == c && Precedence(static_cast<Op>(i)) >= least) found = i;
      }
      if (found < 0) return left;
      ++at_;
      const Op op = static_cast<Op>(found);
      left = Build::Binary(op, left, ParseBinary(Precedence(op) + 1));
    }
  }

  Node ParseSigned() {
    if (++depth_ > kMaxDepth) Fail("the formula is nested too deeply");
    Node node = Take('-') ? ParseNegative() : ParseAtom();
    --depth_;
    return node;
  }

  /// What follows a minus sign: a number, or anything else, which is subtracted from 0.
  Node ParseNegative() {
    const char c = Peek();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return ParseNumber(-1);
    return Build::Binary(Op::kSub, Build::Number(0), ParseSigned());
  }

  Node ParseAtom() {
    const char c = Peek();
    if (Take('(')) {
      Node node = ParseBinary(1);
      if (!Take(')')) Fail("expected ')'");
      return node;
    }
    if (c == '"') return ParseText();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return ParseNumber();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return ParseName();
    Fail(at_ == text_.size() ? "the formula ends too early" : "expected a value");
  }

  Node ParseNumber(double sign = 1) {
    double number = 0;
    const char* first = text_.data() + at_;
    const auto result = std::from_chars(first, text_.data() + text_.size(), number);
    if (result.ec != std::errc()) Fail("expected a number");
    at_ += static_cast<size_t>(result.ptr - first);
    return Build::Number(sign * number);
  }

  /// A text in quotes; two quotes stand for one.
  Node ParseText() {
    std::string text;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') {
          ++at_;
          return Build::Text(text);
        }
        ++at_;
      }
      text += text_[at_];
    }
    Fail("expected '\"'");
  }

  std::string_view TakeName() {
    const size_t first = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    return text_.substr(first, at_ - first);
  }

  /// A call, a range or a reference.
  Node ParseName() {
    const size_t start = at_;
    const std::string name(TakeName());
    if (Take('(')) return ParseCall(name);
    const auto first = Address::Read(name);
    if (!first) {
      at_ = start;
      Fail("expected a cell or a function, got '" + name + "'");
    }
    if (!Take(':')) return Build::Reference(*first);
    Peek();
    const auto last = Address::Read(TakeName());
    if (!last) Fail("expected the last cell of the range");
    return Build::Range(*first, *last);
  }

  Node ParseCall(const std::string& name) {
    std::vector<Node> args;
    if (Take(')')) return Build::Call(name, args);
    do {
      args.push_back(ParseBinary(1));
    } while (Take(','));
    if (!Take(')')) Fail("expected ',' or ')'");
    return Build::Call(name, args);
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace spreadsheet
