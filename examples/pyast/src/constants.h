// SPDX-License-Identifier: Apache-2.0
// Operations on constants, with the results and the limits of CPython's own constant folder.
//
// A constant is None, bool, int, float, str, bytes, `...`, complex, or an Array of constants, which
// is a tuple. Nothing is returned where the operation raises, where the result would be too large,
// or where Python has to do it and there is no Python: integers beyond int64 and complex numbers go
// to `evaluate(name, *operands)`, whose None is nothing too.
#pragma once

#include <optional>

#include "ast.h"

namespace pyast {

using Folded = std::optional<Any>;

class Constants {
 public:
  explicit Constants(tain::Function evaluate) : evaluate_(std::move(evaluate)) {}

  Folded Unary(UnaryOperator op, const Any& operand) const;
  Folded Binary(Operator op, const Any& left, const Any& right) const;
  /// True or false; `is` only between None, True and False.
  Folded Compare(Comparison op, const Any& left, const Any& right) const;
  Folded Subscript(const Any& value, const Any& index) const;

 private:
  template <class... A>
  Folded Evaluate(const char* name, const A&... operands) const;
  Folded Equal(const Any& left, const Any& right) const;
  Folded Order(Comparison op, const Any& left, const Any& right) const;
  Folded Contains(const Any& container, const Any& value) const;

  tain::Function evaluate_;
};

}  // namespace pyast
