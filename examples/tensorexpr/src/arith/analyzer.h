// SPDX-License-Identifier: Apache-2.0
// What is known of expressions: their bounds, and simpler forms of them.
#pragma once

#include <limits>
#include <unordered_map>
#include <vector>

#include "../tir/substitute.h"
#include "linear.h"

namespace tensorexpr {

/// The constants between which an integer expression is.
struct Bounds {
  int64_t min = kNone, max = kAll;  ///< kNone and kAll if there is no bound
  static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
  /// Whether they are known, and values of a type.
  bool IsWithin(DType dtype) const {
    const bool is_known = min != kNone && min != kAll && max != kNone && max != kAll;
    return is_known && min >= MinOf(dtype) && max <= MaxOf(dtype);
  }
};

class TAIN_DLL_EXPORT Analyzer {
 public:
  /// Says that a variable runs through the integers from `min` on, `extent` many, when its loop begins.
  void Bind(const Var& var, const PrimExpr& min, const PrimExpr& extent);
  /// Says what a variable is.
  void BindValue(const Var& var, const PrimExpr& value);
  /// Says that a condition holds (or that it does not), while the object lives. What it says of integers is
  /// used to decide comparisons.
  class Assumption {
   public:
    Assumption(Analyzer* facts, const PrimExpr& condition, bool holds = true)
        : facts_(facts), before_(facts->known_.size()) {
      facts->facts_left_ = kMostFacts;
      facts->Assume(condition, holds);
    }
    ~Assumption() { facts_->known_.resize(before_); }
    Assumption(const Assumption&) = delete;
    Assumption& operator=(const Assumption&) = delete;

   private:
    Analyzer* facts_;
    size_t before_;
  };

  /// A value that its type cannot hold wraps around: then the bounds are those of the type.
  Bounds BoundsOf(const PrimExpr& e) const {
    left_ = kMostNodes;
    return WithinType(Raw(e, 0), e->dtype);
  }
  /// The bounds of a sum in mathematics, where nothing wraps around.
  Bounds BoundsOf(const Linear& sum) const {
    left_ = kMostNodes;
    return OfSum(sum, 0);
  }
  /// Returns the sum that an expression is, if it is that in mathematics too, because it does not wrap around.
  std::optional<Linear> Exact(const PrimExpr& e) const;
  /// Whether a sum of integers (in mathematics, where nothing wraps around) is never more than a number.
  bool IsAtMost(const Linear& sum, int64_t limit) const;
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
  static constexpr int kMostFacts = 200;  ///< of one condition
  static Bounds WithinType(const Bounds& b, DType dtype);
  Bounds Inner(const PrimExpr& e, int depth) const {
    return WithinType(Raw(e, depth + 1), e->dtype);
  }
  Bounds Raw(const PrimExpr& e, int depth) const;
  Bounds OfSum(const Linear& sum, int depth) const;
  void Assume(const PrimExpr& condition, bool holds, int depth = 0);
  std::optional<Interval> RelaxAt(const PrimExpr& e, const Ranges& ranges, int depth) const;

  std::unordered_map<const VarNode*, Bounds> bounds_;
  std::vector<Linear> known_;  ///< each is at most 0
  int facts_left_ = 0;
  mutable int left_ = 0;  ///< the nodes that the question may still look at
};

}  // namespace tensorexpr
