// SPDX-License-Identifier: Apache-2.0
// C++ operators and conversions as Python's special methods.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <compare>
#include <string_view>

#include "tain/internal/reflect/signature.h"

namespace tain::internal::reflect {

/// An operator of C++ with this number of operands, and its methods in Python.
struct OperatorNames {
  std::string_view symbol;
  size_t operands;
  const char* name;
  const char* swapped = nullptr;  ///< if the receiver is the right operand
};

consteval OperatorNames OperatorNamesOf(info function, size_t operands) {
  constexpr OperatorNames kAll[] = {
      {"+", 1, "__pos__"},          {"-", 1, "__neg__"},
      {"~", 1, "__invert__"},       {"+", 2, "__add__", "__radd__"},
      {"-", 2, "__sub__", "__rsub__"},
      {"*", 2, "__mul__", "__rmul__"},
      {"/", 2, "__truediv__", "__rtruediv__"},
      {"%", 2, "__mod__", "__rmod__"},
      {"^", 2, "__xor__", "__rxor__"},
      {"&", 2, "__and__", "__rand__"},
      {"|", 2, "__or__", "__ror__"},
      {"<<", 2, "__lshift__", "__rlshift__"},
      {">>", 2, "__rshift__", "__rrshift__"},
      {"+=", 2, "__iadd__"},        {"-=", 2, "__isub__"},
      {"*=", 2, "__imul__"},        {"/=", 2, "__itruediv__"},
      {"%=", 2, "__imod__"},        {"^=", 2, "__ixor__"},
      {"&=", 2, "__iand__"},        {"|=", 2, "__ior__"},
      {"<<=", 2, "__ilshift__"},    {">>=", 2, "__irshift__"},
      {"==", 2, "__eq__", "__eq__"}, {"!=", 2, "__ne__", "__ne__"},
      {"<", 2, "__lt__", "__gt__"}, {">", 2, "__gt__", "__lt__"},
      {"<=", 2, "__le__", "__ge__"}, {">=", 2, "__ge__", "__le__"}};
  const std::string_view symbol = symbol_of(operator_of(function));
  if (symbol == "()") return {symbol, operands, "__call__"};
  if (symbol == "[]") return {symbol, operands, "__getitem__"};
  for (const OperatorNames& one : kAll) {
    if (one.symbol == symbol && one.operands == operands) return one;
  }
  return {symbol, operands, nullptr};
}

/// Whether C++ alone uses an operator: assignment, allocation.
consteval bool IsOfCppOnly(info function) {
  using enum std::meta::operators;
  const auto which = operator_of(function);
  return is_assignment(function) || which == op_new || which == op_delete ||
         which == op_array_new || which == op_array_delete || which == op_equals;
}

template <class T>
inline constexpr bool kIsText = std::is_convertible_v<T, std::string_view>;

/// Returns the Python method for a conversion to a type; null if there is none.
consteval const char* ConversionName(info target) {
  const info type = dealias(remove_cvref(target));
  if (type == ^^bool) return "__bool__";
  if (is_integral_type(type)) return "__int__";
  if (is_floating_point_type(type)) return "__float__";
  if (IsTrue(^^kIsText, type)) return "__str__";
  return nullptr;
}

/// The comparisons that operator<=> gives. The operator may be that of a base class of T.
template <class T, class P, int kCase>
struct OrderCaller {
  bool operator()(const T& a, P b) const {
    const auto order = a <=> b;
    if constexpr (kCase == 0) {
      return order < 0;
    } else if constexpr (kCase == 1) {
      return order <= 0;
    } else if constexpr (kCase == 2) {
      return order > 0;
    } else {
      return order >= 0;
    }
  }
};
inline constexpr const char* kOrderNames[] = {"__lt__", "__le__", "__gt__", "__ge__"};

/// `self[index] = value`, for an operator[] that returns a reference.
template <class Self, class V, class... P>
struct ElementSetter {
  void operator()(Self& self, P... index, V value) const {
    self[static_cast<P&&>(index)...] = value;
  }
};

}  // namespace tain::internal::reflect
#endif
