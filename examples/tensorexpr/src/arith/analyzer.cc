// SPDX-License-Identifier: Apache-2.0
// Bounds and simplification; see analyzer.h.
#include "analyzer.h"

#include <algorithm>
#include <numeric>

#include "arith/linear.h"
#include "tir/same.h"

namespace tensorexpr {
namespace {

bool IsIndex(const PrimExpr& e) {
  return IsInt(e->dtype) && e->dtype.lanes == 1 && e->dtype.bits >= 32;
}

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

bool Analyzer::IsExact(const PrimExpr& e) const {
  // Parts of a sum may wrap around, as long as the whole of it does not need to.
  const bool is_sum =
      e.as<AddNode>() != nullptr || e.as<SubNode>() != nullptr || e.as<MulNode>() != nullptr;
  if (!is_sum) return true;
  left_ = kMostNodes;
  const Bounds b = Raw(e, 0);
  return !IsInfinite(b.min) && !IsInfinite(b.max) && b.min >= MinOf(e->dtype) &&
         b.max <= MaxOf(e->dtype);
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
  if (test == nullptr || !IsIndex(test->a) || !IsExact(test->a) || !IsExact(test->b)) return;
  const std::optional<Linear> a = LinearOf(test->a), b = LinearOf(test->b);
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

namespace {

/// The rules for one node whose parts are simple already.
class Rules {
 public:
  explicit Rules(const Analyzer& facts) : facts_(facts) {}

  std::optional<PrimExpr> Apply(const PrimExpr& node) const {
    if (const auto* binary = node.as<BinaryNode>()) return Binary(*binary);
    if (const auto* cast = node.as<CastNode>()) return CastTo(cast->value, cast->dtype);
    if (const auto* no = node.as<NotNode>()) return Negated(no->a);
    if (const auto* select = node.as<SelectNode>()) {
      return Select(select->condition, select->true_value, select->false_value);
    }
    if (const auto* call = node.as<CallNode>();
        call != nullptr && std::string_view(call->op) == "if_then_else") {
      if (const std::optional<int64_t> value = AsInt(call->args[0]))
        return call->args[*value != 0 ? 1 : 2];
    }
    return std::nullopt;
  }

 private:
  static std::optional<PrimExpr> Negated(const PrimExpr& e) {
    if (const auto* lt = e.as<LTNode>(); lt != nullptr && IsInteger(lt->a->dtype))
      return LE(lt->b, lt->a);
    if (const auto* le = e.as<LENode>(); le != nullptr && IsInteger(le->a->dtype))
      return LT(le->b, le->a);
    return Not(e);
  }

  std::optional<PrimExpr> Binary(const BinaryNode& e) const {
    const PrimExpr folded = RemakeBinary(e, e.a, e.b);
    const auto* left = folded.as<BinaryNode>();
    if (left == nullptr || !IsIndex(left->a)) return Logic(folded);
    if (folded.as<ArithmeticNode>() != nullptr) {
      if (left->a.as<AddNode>() == nullptr && folded.as<AddNode>() == nullptr &&
          folded.as<SubNode>() == nullptr && folded.as<MulNode>() == nullptr) {
        return Divided(folded);
      }
      if (folded.as<AddNode>() != nullptr || folded.as<SubNode>() != nullptr ||
          folded.as<MulNode>() != nullptr) {
        return Sum(folded);
      }
      return Divided(folded);
    }
    return Compared(folded, *left);
  }

  std::optional<PrimExpr> Logic(const PrimExpr& e) const {
    const auto* logic = e.as<LogicNode>();
    if (logic != nullptr && IsSame(logic->a, logic->b)) return logic->a;
    return e;
  }

  std::optional<PrimExpr> Sum(const PrimExpr& e) const {
    std::optional<Linear> sum = LinearOf(e);
    if (!sum) return e;
    JoinRemainders(&*sum);
    return ExprOf(*sum, e->dtype);
  }

  /// (x // c) * c + x % c is x.
  static void JoinRemainders(Linear* sum) {
    for (size_t i = 0; i < sum->parts.size(); ++i) {
      const auto* mod = sum->parts[i].term.as<FloorModNode>();
      const std::optional<int64_t> c = mod == nullptr ? std::nullopt : AsInt(mod->b);
      if (!c) continue;
      for (size_t j = 0; j < sum->parts.size(); ++j) {
        const auto* div = sum->parts[j].term.as<FloorDivNode>();
        if (div == nullptr || AsInt(div->b) != c ||
            sum->parts[j].factor != sum->parts[i].factor * *c)
          continue;
        if (!IsSame(div->a, mod->a)) continue;
        const std::optional<Linear> whole = LinearOf(mod->a);
        if (!whole) continue;
        const int64_t factor = sum->parts[i].factor;
        sum->parts.erase(sum->parts.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
        sum->parts.erase(sum->parts.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
        sum->AddAll(*whole, factor);
        return JoinRemainders(sum);
      }
    }
  }

  std::optional<PrimExpr> Divided(const PrimExpr& e) const {
    const auto* binary = e.as<BinaryNode>();
    if (e.as<MinNode>() != nullptr || e.as<MaxNode>() != nullptr) {
      const PrimExpr apart_by = Sub(binary->a, binary->b);
      if (!facts_.IsExact(apart_by)) return e;
      const Bounds difference = facts_.BoundsOf(apart_by);
      const bool is_min = e.as<MinNode>() != nullptr;
      if (difference.max <= 0) return is_min ? binary->a : binary->b;
      if (difference.min >= 0) return is_min ? binary->b : binary->a;
      return e;
    }
    const std::optional<int64_t> c = AsInt(binary->b);
    if (!c || *c < 1 || !facts_.IsExact(binary->a)) return e;
    const Bounds a = facts_.BoundsOf(binary->a);
    const bool is_floor = e.as<FloorDivNode>() != nullptr || e.as<FloorModNode>() != nullptr;
    if (!is_floor && a.min < 0) return e;
    const bool is_quotient = e.as<FloorDivNode>() != nullptr || e.as<DivNode>() != nullptr;
    if (a.min >= 0 && a.max < *c) return is_quotient ? IntConst(0, e->dtype) : binary->a;
    const std::optional<Linear> sum = LinearOf(binary->a);
    if (!sum) return e;
    Linear multiples, rest;
    sum->Split(*c, &multiples, &rest);
    const PrimExpr remainder = ExprOf(rest, e->dtype);
    if (!facts_.IsExact(remainder)) return e;
    const Bounds b = facts_.BoundsOf(remainder);
    const bool fits = b.min >= 0 && b.max < *c;
    if (multiples.parts.empty() && multiples.constant == 0 && !fits)
      return Nested(e, *binary, *c, is_quotient);
    for (Linear::Part& part : multiples.parts) part.factor /= *c;
    multiples.constant /= *c;
    const PrimExpr divisor = IntConst(*c, e->dtype);
    if (!is_quotient) return fits ? remainder : FloorMod(remainder, divisor);
    const PrimExpr whole = ExprOf(multiples, e->dtype);
    if (!facts_.IsExact(whole)) return e;
    return fits ? whole : Add(whole, FloorDiv(remainder, divisor));
  }

  /// (x // a) // b is x // (a * b), and (x * a) // (a * b) is x // b.
  std::optional<PrimExpr> Nested(const PrimExpr& e, const BinaryNode& binary, int64_t c,
                                 bool is_quotient) const {
    const auto* inner = binary.a.as<FloorDivNode>();
    const std::optional<int64_t> d = inner == nullptr ? std::nullopt : AsInt(inner->b);
    if (is_quotient && d && *d > 0 && *d <= MaxOf(e->dtype) / c) {
      return FloorDiv(inner->a, IntConst(*d * c, e->dtype));
    }
    const std::optional<Linear> sum = LinearOf(binary.a);
    int64_t common = c;
    for (const Linear::Part& part : sum->parts) common = std::gcd(common, part.factor);
    common = std::gcd(common, sum->constant);
    if (common <= 1) return e;
    Linear less = *sum;
    for (Linear::Part& part : less.parts) part.factor /= common;
    less.constant /= common;
    const PrimExpr a = ExprOf(less, e->dtype), b = IntConst(c / common, e->dtype);
    return is_quotient ? FloorDiv(a, b) : Mul(FloorMod(a, b), IntConst(common, e->dtype));
  }

  std::optional<PrimExpr> Compared(const PrimExpr& e, const BinaryNode& binary) const {
    const std::optional<Linear> a = LinearOf(binary.a), b = LinearOf(binary.b);
    if (!a || !b) return e;
    if (!facts_.IsExact(binary.a) || !facts_.IsExact(binary.b)) return e;
    Linear over = *a, under = *b;  // a - b, b - a
    over.AddAll(*b, -1);
    under.AddAll(*a, -1);
    const auto decide = [&](bool yes, bool no) -> std::optional<PrimExpr> {
      if (yes) return True();
      if (no) return BoolConst(false);
      return e;
    };
    const bool is_less = facts_.IsAtMost(over, -1), is_more = facts_.IsAtMost(under, -1);
    if (e.as<LTNode>() != nullptr) return decide(is_less, facts_.IsAtMost(under, 0));
    if (e.as<LENode>() != nullptr) return decide(facts_.IsAtMost(over, 0), is_more);
    if (e.as<GTNode>() != nullptr) return decide(is_more, facts_.IsAtMost(over, 0));
    if (e.as<GENode>() != nullptr) return decide(facts_.IsAtMost(under, 0), is_less);
    const bool same = facts_.IsAtMost(over, 0) && facts_.IsAtMost(under, 0);
    if (e.as<EQNode>() != nullptr) return decide(same, is_less || is_more);
    return decide(is_less || is_more, same);
  }

  const Analyzer& facts_;
};

}  // namespace

PrimExpr Analyzer::Simplify(const PrimExpr& e) const {
  PrimExpr result = e;
  for (int round = 0; round < 4; ++round) {  // a rule may make room for another
    const Rules rules(*this);
    const PrimExpr before = result;
    result = RewriteExpr(result, [&](const PrimExpr& part) -> std::optional<PrimExpr> {
      std::optional<PrimExpr> made = rules.Apply(part);
      if (made && IsSame(*made, part)) return std::nullopt;  // what does not change stays
      return made;
    });
    if (result.same_as(before)) break;
  }
  return result;
}

std::optional<Analyzer::Interval> Analyzer::RelaxAt(const PrimExpr& e, const Ranges& ranges,
                                                    int depth) const {
  if (depth > kDeepest || --left_ < 0) return std::nullopt;
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
