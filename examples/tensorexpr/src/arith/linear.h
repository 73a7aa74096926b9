// SPDX-License-Identifier: Apache-2.0
// Integer expressions as sums of multiples of terms.
#pragma once

#include <vector>

#include "tir/ops.h"

namespace tensorexpr {

/// constant + factor * term + ...; no two terms are equal, and none is a sum.
struct Linear {
  struct Part {
    PrimExpr term;
    int64_t factor;
  };
  std::vector<Part> parts;
  int64_t constant = 0;
  int visited = 0;  ///< while the sum is collected

  void Add(const PrimExpr& term, int64_t factor);
  void AddAll(const Linear& other, int64_t factor);
  /// Splits into the part whose factors are multiples of a number, and the rest.
  void Split(int64_t divisor, Linear* multiples, Linear* rest) const;
};

/// Returns the sum that an integer expression is. Nothing if a factor is too large, or if
/// there are too many terms.
std::optional<Linear> LinearOf(const PrimExpr& e);
PrimExpr ExprOf(const Linear& sum, DType dtype);

}  // namespace tensorexpr
