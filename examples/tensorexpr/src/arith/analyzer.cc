// SPDX-License-Identifier: Apache-2.0
// Bounds of expressions; see analyzer.h.
#include "analyzer.h"

#include <algorithm>

#include "arith/linear.h"
#include "tir/same.h"
#include "tir/stack.h"

namespace tensorexpr {
namespace {

bool IsInfinite(int64_t v) { return v == Bounds::kAll || v == Bounds::kNone; }

int64_t Clamp(__int128 v) {
  if (v >= Bounds::kAll) return Bounds::kAll;
  if (v <= Bounds::kNone) return Bounds::kNone;
  return static_cast<int64_t>(v);
}
int64_t AddBound(int64_t a, int64_t b, int64_t none) {
  return IsInfinite(a) || IsInfinite(b) ? none : Clamp(static_cast<__int128>(a) + b);
}

Bounds Scaled(const Bounds& b, int64_t factor) {
  const auto times = [&](int64_t v, int64_t none) {
    return IsInfinite(v) ? none : Clamp(static_cast<__int128>(v) * factor);
  };
  if (factor >= 0) return {times(b.min, Bounds::kNone), times(b.max, Bounds::kAll)};
  return {times(b.max, Bounds::kNone), times(b.min, Bounds::kAll)};
}

int64_t FloorDivBound(int64_t a, int64_t b) {
  if (IsInfinite(a)) return a;
  const int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

constexpr int kDeepest = 200;  ///< expressions are looked at so far below their root

}  // namespace

Bounds Analyzer::WithinType(const Bounds& b, DType dtype) {
  const Bounds of_type{MinOf(dtype), MaxOf(dtype)};
  return b.min < of_type.min || b.max > of_type.max ? of_type : b;
}

std::optional<Linear> Analyzer::Exact(const PrimExpr& e) const {
  // Parts of a sum may wrap around, as long as the whole of it does not need to.
  std::optional<Linear> sum = LinearOf(e);
  const bool is_sum = sum && !(sum->parts.size() == 1 && sum->parts[0].term.same_as(e));
  if (is_sum && !BoundsOf(*sum).IsWithin(e->dtype)) return std::nullopt;
  return sum;
}

bool Analyzer::IsTrue(const PrimExpr& e) { return IsConstInt(e, 1) && IsBool(e->dtype); }

void Analyzer::Bind(const Var& var, const PrimExpr& min, const PrimExpr& extent) {
  const Bounds low = BoundsOf(min), many = BoundsOf(extent);
  Bounds b{low.min, Bounds::kAll};
  const int64_t last = AddBound(low.max, many.max, Bounds::kAll);
  if (!IsInfinite(last)) b.max = last - 1;
  bounds_[var.get()] = b;
  facts_left_ = kMostFacts;
  if (!IsConstant(min)) return;  // the loop may change what it was
  if (!AsInt(min)) Assume(LE(min, PrimExpr(var)), true);
  if (!IsConstant(extent) || (AsInt(min) && AsInt(extent))) return;
  Assume(LT(PrimExpr(var), Add(min, extent)), true);
}

void Analyzer::BindValue(const Var& var, const PrimExpr& value) {
  bounds_[var.get()] = BoundsOf(value);
}

Bounds Analyzer::OfSum(const Linear& sum, int depth) const {
  Bounds total{sum.constant, sum.constant};
  for (const Linear::Part& part : sum.parts) {
    const Bounds b = Scaled(Inner(part.term, depth), part.factor);
    total = {AddBound(total.min, b.min, Bounds::kNone), AddBound(total.max, b.max, Bounds::kAll)};
  }
  return total;
}

bool Analyzer::IsAtMost(const Linear& sum, int64_t limit) const {
  left_ = kMostNodes;
  if (OfSum(sum, 0).max <= limit) return true;
  return std::any_of(known_.begin(), known_.end(), [&](const Linear& known) {
    Linear rest = sum;  // sum = rest + known, and known is at most 0
    rest.AddAll(known, -1);
    return OfSum(rest, 0).max <= limit;
  });
}

void Analyzer::Assume(const PrimExpr& condition, bool holds, int depth) {
  if (depth > kDeepest || --facts_left_ < 0) return;
  if (const auto* no = condition.as<NotNode>()) return Assume(no->a, !holds, depth + 1);
  if (const auto* logic = condition.as<LogicNode>()) {
    if ((condition.as<AndNode>() != nullptr) != holds) return;  // one of both: nothing is known
    Assume(logic->a, holds, depth + 1);
    return Assume(logic->b, holds, depth + 1);
  }
  const auto* test = condition.as<ComparisonNode>();
  if (test == nullptr || !IsIndex(test->a)) return;
  const std::optional<Linear> a = Exact(test->a), b = Exact(test->b);
  if (!a || !b) return;
  const auto at_most = [&](const Linear& low, const Linear& high, int64_t apart) {
    Linear difference = low;
    difference.AddAll(high, -1);
    difference.constant += apart;
    known_.push_back(difference);
  };
  const bool is_less = condition.as<LTNode>() != nullptr,
             is_more = condition.as<GTNode>() != nullptr;
  const bool is_le = condition.as<LENode>() != nullptr, is_ge = condition.as<GENode>() != nullptr;
  const bool is_equal =
      holds ? condition.as<EQNode>() != nullptr : condition.as<NENode>() != nullptr;
  if (holds ? is_less : is_ge) at_most(*a, *b, 1);
  if (holds ? is_le : is_more) at_most(*a, *b, 0);
  if (holds ? is_more : is_le) at_most(*b, *a, 1);
  if (holds ? is_ge : is_less) at_most(*b, *a, 0);
  if (is_equal) {
    at_most(*a, *b, 0);
    at_most(*b, *a, 0);
  }
}

Bounds Analyzer::Raw(const PrimExpr& e, int depth) const {
  if (!IsInteger(e->dtype) || e->dtype.lanes != 1) return {};
  if (const std::optional<int64_t> value = AsInt(e)) return {*value, *value};
  const Bounds of_type{MinOf(e->dtype), MaxOf(e->dtype)};
  if (depth > kDeepest || --left_ < 0) return of_type;
  if (const auto* var = e.as<VarNode>()) {
    const auto found = bounds_.find(var);
    if (found != bounds_.end()) return found->second;
    return e.as<SizeVarNode>() != nullptr ? Bounds{0, of_type.max} : of_type;
  }
  CheckStack(e);
  Bounds result = of_type;
  if (e.as<AddNode>() != nullptr || e.as<SubNode>() != nullptr || e.as<MulNode>() != nullptr) {
    const std::optional<Linear> sum = LinearOf(e);
    const auto* mul = e.as<MulNode>();
    const bool is_product = mul != nullptr && sum && sum->parts.size() == 1 && sum->constant == 0 &&
                            sum->parts[0].term.same_as(e);
    if (is_product) {
      const Bounds a = Inner(mul->a, depth), b = Inner(mul->b, depth);
      if (a.min >= 0 && b.min >= 0) {
        result = {Clamp(static_cast<__int128>(a.min) * b.min), Bounds::kAll};
        if (!IsInfinite(a.max) && !IsInfinite(b.max))
          result.max = Clamp(static_cast<__int128>(a.max) * b.max);
      }
    } else if (sum) {
      result = OfSum(*sum, depth);
    }
    // It may wrap around to any value.
    if (IsInfinite(result.min) || IsInfinite(result.max)) result = of_type;
  } else if (const auto* low = e.as<MinNode>()) {
    const Bounds a = Inner(low->a, depth), b = Inner(low->b, depth);
    result = {std::min(a.min, b.min), std::min(a.max, b.max)};
  } else if (const auto* high = e.as<MaxNode>()) {
    const Bounds a = Inner(high->a, depth), b = Inner(high->b, depth);
    result = {std::max(a.min, b.min), std::max(a.max, b.max)};
  } else if (const auto* select = e.as<SelectNode>()) {
    const Bounds a = Inner(select->true_value, depth), b = Inner(select->false_value, depth);
    result = {std::min(a.min, b.min), std::max(a.max, b.max)};
  } else if (const auto* cast = e.as<CastNode>();
             cast != nullptr && IsInteger(cast->value->dtype)) {
    const Bounds b = Inner(cast->value, depth);
    const bool is_known = !(IsUInt(cast->value->dtype) && IsInfinite(b.max));  // uint64 has more
    if (is_known && b.min >= of_type.min && b.max <= of_type.max) result = b;
  } else if (e.as<FloorDivNode>() != nullptr || e.as<DivNode>() != nullptr) {
    const auto* binary = e.as<BinaryNode>();
    const Bounds a = Inner(binary->a, depth), b = Inner(binary->b, depth);
    if (b.min >= 1 && a.min >= 0) {
      result = {IsInfinite(b.max) ? 0 : FloorDivBound(a.min, b.max), FloorDivBound(a.max, b.min)};
    } else if (b.min >= 1 && b.min == b.max && e.as<FloorDivNode>() != nullptr) {
      result = {FloorDivBound(a.min, b.min), FloorDivBound(a.max, b.min)};
    }
  } else if (e.as<FloorModNode>() != nullptr || e.as<ModNode>() != nullptr) {
    const auto* binary = e.as<BinaryNode>();
    const Bounds a = Inner(binary->a, depth), b = Inner(binary->b, depth);
    if (b.min >= 1 && (a.min >= 0 || e.as<FloorModNode>() != nullptr)) {
      result = {0, IsInfinite(b.max) ? Bounds::kAll : b.max - 1};
      if (a.min >= 0 && a.max < b.min) result = a;
      if (a.min >= 0) result.max = std::min(result.max, a.max);
    }
  }
  return result;
}

std::optional<Analyzer::Interval> Analyzer::RelaxAt(const PrimExpr& e, const Ranges& ranges,
                                                    int depth) const {
  if (depth > kDeepest || --left_ < 0) return std::nullopt;
  CheckStack(e);
  const auto moves = [&](const VarNode* var) { return ranges.count(var) != 0; };
  if (!UsesVar(e, moves)) return Interval{e, e};
  if (const auto* var = e.as<VarNode>()) return ranges.at(var);
  const auto two = [&](const BinaryNode* n) -> std::optional<std::pair<Interval, Interval>> {
    std::optional<Interval> a = RelaxAt(n->a, ranges, depth + 1),
                            b = RelaxAt(n->b, ranges, depth + 1);
    if (!a || !b) return std::nullopt;
    return std::make_pair(*a, *b);
  };
  const auto* binary = e.as<BinaryNode>();
  if (binary != nullptr && e.as<ArithmeticNode>() != nullptr) {
    const auto both = two(binary);
    if (!both) return std::nullopt;
    const auto& [a, b] = *both;
    if (e.as<AddNode>() != nullptr) return Interval{Add(a.min, b.min), Add(a.max, b.max)};
    if (e.as<SubNode>() != nullptr) return Interval{Sub(a.min, b.max), Sub(a.max, b.min)};
    if (e.as<MinNode>() != nullptr) return Interval{Min(a.min, b.min), Min(a.max, b.max)};
    if (e.as<MaxNode>() != nullptr) return Interval{Max(a.min, b.min), Max(a.max, b.max)};
    const std::optional<int64_t> x = AsInt(binary->a), y = AsInt(binary->b);
    if (e.as<MulNode>() != nullptr && (x || y)) {
      const Interval& moved = y ? a : b;
      const PrimExpr factor = y ? binary->b : binary->a;
      const bool is_up = (y ? *y : *x) >= 0;
      return Interval{Mul(is_up ? moved.min : moved.max, factor),
                      Mul(is_up ? moved.max : moved.min, factor)};
    }
    if (e.as<MulNode>() != nullptr && !UsesVar(binary->b, moves) && BoundsOf(binary->b).min >= 0) {
      return Interval{Mul(a.min, binary->b), Mul(a.max, binary->b)};
    }
    if (e.as<FloorDivNode>() != nullptr && y && *y > 0) {
      return Interval{FloorDiv(a.min, binary->b), FloorDiv(a.max, binary->b)};
    }
    if (e.as<DivNode>() != nullptr && y && *y > 0) {
      return Interval{TruncDiv(a.min, binary->b), TruncDiv(a.max, binary->b)};
    }
    if (e.as<FloorModNode>() != nullptr && y && *y > 0) {
      return Interval{IntConst(0, e->dtype), IntConst(*y - 1, e->dtype)};
    }
  }
  if (const auto* select = e.as<SelectNode>()) {
    std::optional<Interval> a = RelaxAt(select->true_value, ranges, depth + 1),
                            b = RelaxAt(select->false_value, ranges, depth + 1);
    if (a && b) return Interval{Min(a->min, b->min), Max(a->max, b->max)};
  }
  if (const auto* call = e.as<CallNode>();
      call != nullptr && std::string_view(call->op) == "if_then_else") {
    std::optional<Interval> a = RelaxAt(call->args[1], ranges, depth + 1),
                            b = RelaxAt(call->args[2], ranges, depth + 1);
    if (a && b) return Interval{Min(a->min, b->min), Max(a->max, b->max)};
  }
  if (const auto* cast = e.as<CastNode>();
      cast != nullptr && IsInteger(cast->dtype) && IsInteger(cast->value->dtype)) {
    std::optional<Interval> v = RelaxAt(cast->value, ranges, depth + 1);
    if (v) return Interval{CastTo(v->min, cast->dtype), CastTo(v->max, cast->dtype)};
  }
  return std::nullopt;
}

}  // namespace tensorexpr
