// SPDX-License-Identifier: Apache-2.0
// C++ operators and conversions as Python's special methods.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <compare>
#include <string_view>

#include "tain/internal/operators.h"
#include "tain/internal/reflect/signature.h"

namespace tain::internal::reflect {

consteval Operator OperatorOf(info function, size_t operands) {
  return internal::OperatorOf(symbol_of(operator_of(function)), operands);
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

/// The comparisons that operator<=> gives.
inline constexpr std::string_view kOrderSymbols[] = {"<", "<=", ">", ">="};

/// Calls the comparison of kOrderSymbols[kCase]. The operator may be that of a base class of T.
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

/// `self[index] = value`, for an operator[] that returns a reference.
template <class Self, class V, class... P>
struct ElementSetter {
  void operator()(Self& self, P... index, V value) const {
    self[static_cast<P&&>(index)...] = value;
  }
};

}  // namespace tain::internal::reflect
#endif
