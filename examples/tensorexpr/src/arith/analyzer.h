// SPDX-License-Identifier: Apache-2.0
// What is known of expressions: their bounds, and simpler forms of them.
#pragma once

#include <limits>
#include <unordered_map>

#include "tir/substitute.h"

namespace tensorexpr {

/// The constants between which an integer expression is.
struct Bounds {
  int64_t min = kNone, max = kAll;  ///< kNone and kAll if there is no bound
  static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
};

class Analyzer {
 public:
  /// Says that a variable runs through the integers from `min` on, `extent` many.
  void Bind(const Var& var, const PrimExpr& min, const PrimExpr& extent);
  /// Says what a variable is.
  void BindValue(const Var& var, const PrimExpr& value);

  /// A value that its type cannot hold wraps around: then the bounds are those of the type.
  Bounds BoundsOf(const PrimExpr& e) const {
    left_ = kMostNodes;
    return WithinType(Raw(e, 0), e->dtype);
  }
  /// Whether no sum and product in an expression wraps around, so that it is what it is in mathematics.
  bool IsExact(const PrimExpr& e) const {
    left_ = kMostNodes;
    return IsExactAt(e, 0);
  }
  /// Returns a simpler expression of the same value: sums in one order, equal terms joined, divisions and
  /// comparisons decided where bounds decide them. Floats are not reordered.
  PrimExpr Simplify(const PrimExpr& e) const;
  /// Whether a condition always holds.
  bool Proves(const PrimExpr& condition) const { return IsTrue(Simplify(condition)); }

  /// The smallest and the largest value of an expression while the variables of a map run through ranges
  /// (first value, last value); both are expressions of the other variables. No result if they are unknown.
  struct Interval {
    PrimExpr min, max;
  };
  using Ranges = std::unordered_map<const VarNode*, Interval>;
  std::optional<Interval> Relax(const PrimExpr& e, const Ranges& ranges) const {
    left_ = kMostNodes;
    return RelaxAt(e, ranges, 0);
  }

 private:
  static bool IsTrue(const PrimExpr& e);
  /// Parts that are shared are met again and again, so a question ends after so many.
  static constexpr int kMostNodes = 4000;
  bool IsExactAt(const PrimExpr& e, int depth) const;
  static Bounds WithinType(const Bounds& b, DType dtype);
  Bounds Inner(const PrimExpr& e, int depth) const {
    return WithinType(Raw(e, depth + 1), e->dtype);
  }
  Bounds Raw(const PrimExpr& e, int depth) const;
  std::optional<Interval> RelaxAt(const PrimExpr& e, const Ranges& ranges, int depth) const;

  std::unordered_map<const VarNode*, Bounds> bounds_;
  mutable int left_ = 0;  ///< the nodes that the question may still look at
};

}  // namespace tensorexpr
