// SPDX-License-Identifier: Apache-2.0
// The table of operators: how C++ writes them, and the methods that Python calls for them.
#pragma once

#include <cstddef>
#include <string_view>

namespace tain::internal {

struct Operator {
  std::string_view symbol;         ///< in C++; empty if C++ has no such operator
  size_t operands;                 ///< 0 for any number
  std::string_view name;           ///< the method of the left operand
  std::string_view swapped = {};   ///< the method of the right operand, if the left one has none
  std::string_view in_place = {};  ///< the method of `a += b`
};

/// Which methods are operators, for descriptions by C++26 reflection and for calls from Python. A
/// new operator is a row here.
inline constexpr Operator kOperators[] = {
    {"()", 0, "__call__"},
    {"[]", 0, "__getitem__"},
    {"+", 1, "__pos__"},
    {"-", 1, "__neg__"},
    {"~", 1, "__invert__"},
    {"+", 2, "__add__", "__radd__", "__iadd__"},
    {"-", 2, "__sub__", "__rsub__", "__isub__"},
    {"*", 2, "__mul__", "__rmul__", "__imul__"},
    {"/", 2, "__truediv__", "__rtruediv__", "__itruediv__"},
    {"%", 2, "__mod__", "__rmod__", "__imod__"},
    {"^", 2, "__xor__", "__rxor__", "__ixor__"},
    {"&", 2, "__and__", "__rand__", "__iand__"},
    {"|", 2, "__or__", "__ror__", "__ior__"},
    {"<<", 2, "__lshift__", "__rlshift__", "__ilshift__"},
    {">>", 2, "__rshift__", "__rrshift__", "__irshift__"},
    {"", 2, "__floordiv__", "__rfloordiv__", "__ifloordiv__"},
    {"", 2, "__divmod__", "__rdivmod__"},
    {"", 2, "__pow__", "__rpow__", "__ipow__"},
    {"", 2, "__matmul__", "__rmatmul__", "__imatmul__"},
    {"==", 2, "__eq__", "__eq__"},
    {"!=", 2, "__ne__", "__ne__"},
    {"<", 2, "__lt__", "__gt__"},
    {">", 2, "__gt__", "__lt__"},
    {"<=", 2, "__le__", "__ge__"},
    {">=", 2, "__ge__", "__le__"},
};

/// Returns the row of an operator of C++, for `+=` with the method of that alone. Without a name if
/// Python has no such operator.
constexpr Operator OperatorOf(std::string_view symbol, size_t operands) noexcept {
  for (const Operator& one : kOperators) {
    if (one.symbol.empty() || (one.operands != 0 && one.operands != operands)) continue;
    if (one.symbol == symbol) return one;
    const bool assigns = symbol.size() == one.symbol.size() + 1 && symbol.back() == '=';
    if (assigns && symbol.substr(0, one.symbol.size()) == one.symbol && !one.in_place.empty()) {
      return {symbol, operands, one.in_place};
    }
  }
  return {symbol, operands, {}};
}

/// Whether a method is an operator of two operands: after NotImplemented Python tries the method of
/// the other operand.
constexpr bool IsBinaryOperator(std::string_view method) noexcept {
  if (method.substr(0, 2) != "__") return false;
  for (const Operator& one : kOperators) {
    if (one.operands != 2) continue;
    if (method == one.name || method == one.swapped || method == one.in_place) return true;
  }
  return false;
}

static_assert(OperatorOf("-", 1).name == "__neg__" && OperatorOf("-", 2).swapped == "__rsub__");
static_assert(OperatorOf("<<=", 2).name == "__ilshift__" && OperatorOf("<<=", 2).swapped.empty());
static_assert(OperatorOf("<=", 2).name == "__le__" && OperatorOf("<=", 2).swapped == "__ge__");
static_assert(OperatorOf("()", 3).name == "__call__" && OperatorOf("[]", 2).name == "__getitem__");
static_assert(OperatorOf("=", 2).name.empty() && OperatorOf(",", 2).name.data() == nullptr);
static_assert(IsBinaryOperator("__imatmul__") && IsBinaryOperator("__rpow__"));
static_assert(!IsBinaryOperator("__neg__") && !IsBinaryOperator("__call__"));
static_assert(!IsBinaryOperator("add") && !IsBinaryOperator("__"));

}  // namespace tain::internal
