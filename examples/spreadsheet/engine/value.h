// SPDX-License-Identifier: Apache-2.0
// The values of cells, and the operators on them.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

#include "errors.h"

namespace spreadsheet {

/// Nothing, as in an empty cell, a truth value, a number or a text.
using Value = std::variant<std::monostate, bool, double, std::string>;

enum class Op : int64_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kPow,
  kConcat,
  kEqual,
  kLess,
  kGreater,
};
constexpr const char* kSymbols[] = {"+", "-", "*", "/", "^", "&", "=", "<", ">"};

inline const char* Symbol(Op op) { return kSymbols[static_cast<size_t>(op)]; }

/// How tightly an operator binds its operands: the weakest ones have 1.
inline int Precedence(Op op) {
  switch (op) {
    case Op::kEqual:
    case Op::kLess:
    case Op::kGreater: return 1;
    case Op::kConcat: return 2;
    case Op::kAdd:
    case Op::kSub: return 3;
    case Op::kMul:
    case Op::kDiv: return 4;
    case Op::kPow: return 5;
  }
  return 5;
}

/// The shortest text that reads as the same number.
inline std::string NumberText(double number) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number);
  return std::string(buffer, end.ptr);
}

inline std::string ValueText(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "TRUE" : "FALSE";
  if (const auto* number = std::get_if<double>(&value)) return NumberText(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "";
}

/// Returns a value as a number; an empty cell is 0. Throws SheetError for a text.
inline double ValueNumber(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) {
    throw SheetError("'" + *text + "' is not a number");
  }
  return 0;
}

/// Compares two texts, or two other values as numbers.
inline int Compare(const Value& a, const Value& b) {
  if (std::holds_alternative<std::string>(a) || std::holds_alternative<std::string>(b)) {
    const int order = ValueText(a).compare(ValueText(b));
    return (order > 0) - (order < 0);
  }
  const double x = ValueNumber(a), y = ValueNumber(b);
  return (x > y) - (x < y);
}

inline Value Apply(Op op, const Value& a, const Value& b) {
  switch (op) {
    case Op::kAdd: return ValueNumber(a) + ValueNumber(b);
    case Op::kSub: return ValueNumber(a) - ValueNumber(b);
    case Op::kMul: return ValueNumber(a) * ValueNumber(b);
    case Op::kDiv:
      if (ValueNumber(b) == 0) throw SheetError("division by zero");
      return ValueNumber(a) / ValueNumber(b);
    case Op::kPow: return std::pow(ValueNumber(a), ValueNumber(b));
    case Op::kConcat: return ValueText(a) + ValueText(b);
    case Op::kEqual: return Compare(a, b) == 0;
    case Op::kLess: return Compare(a, b) < 0;
    case Op::kGreater: return Compare(a, b) > 0;
  }
  return {};
}

}  // namespace spreadsheet
