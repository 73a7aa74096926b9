// SPDX-License-Identifier: Apache-2.0
// check and range: conditions that the values of a field must fulfil.
//
//   .def_rw("price", &ItemObj::price, tain::check([](double v) { return v > 0; }, "above 0"))
//   .def_rw("discount", &ItemObj::discount, tain::range(0, 100))
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "tain/any.h"

namespace tain {
namespace internal {

/// The option check.
template <class F>
struct FieldCheck {
  F holds;
  std::string text;
};

/// Returns `from 0 to 100`.
TAIN_DLL std::string RangeText(const Any& low, const Any& high);

template <class A, class B>
constexpr bool IsAtMost(const A& a, const B& b) {
  if constexpr (std::integral<A> && std::integral<B> && !std::same_as<A, bool> &&
                !std::same_as<B, bool>) {
    return std::cmp_less_equal(a, b);
  } else {
    return a <= b;
  }
}

/// Whether a number lies in a range; what may be missing may be so.
template <class L, class H, class V>
constexpr bool IsInRange(const L& low, const H& high, const V& value) {
  if constexpr (requires { value.has_value(), value.value(); }) {
    return !value.has_value() || IsInRange(low, high, value.value());
  } else {
    return IsAtMost(low, value) && IsAtMost(value, high);
  }
}

}  // namespace internal

/// Option of def_rw and def_ro: each value that Python, a constructor made of fields, a copy with
/// changes, or a load gives the field must fulfil a condition. Otherwise it is a ValueError,
/// `shop.Item.price: expected float above 0, got float (-1.0)`, and nothing is changed. C++ code that
/// writes the member itself is not checked, and neither are constructors that C++ code writes.
///
/// \param holds `bool(const V&)` for a field of the type V; copied, called by any thread.
/// \param text What follows the name of the type: `above 0`. Stubs and `type_info` show it.
template <class F>
internal::FieldCheck<F> check(F holds, std::string text) {
  return {std::move(holds), std::move(text)};
}

/// The same for numbers from `low` to `high`, which are both allowed; an optional number may be missing.
template <class L, class H>
auto range(L low, H high) {
  std::string text = internal::RangeText(Any(low), Any(high));
  return check([low, high](const auto& value) { return internal::IsInRange(low, high, value); },
               std::move(text));
}

}  // namespace tain
