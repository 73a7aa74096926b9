// SPDX-License-Identifier: Apache-2.0
// Simplification of expressions; see analyzer.h.
#include <tain/graph/functor.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "arith/analyzer.h"
#include "arith/linear.h"
#include "tir/same.h"
#include "tir/stack.h"

namespace tensorexpr {
namespace {

using tain::ObjectRef;

/// The rules for one node whose parts are simple already.
class Rules {
 public:
  explicit Rules(const Analyzer& facts) : facts_(facts) {}

  /// Whether a rule has made a node that may be simplified again. Parts of simple nodes, constants and
  /// sums of one term never are.
  bool left_work() const { return left_work_; }

  /// Returns what takes the place of a node that is not binary, or the node.
  PrimExpr Apply(const PrimExpr& node) {
    if (const auto* cast = node.as<CastNode>()) {
      const PrimExpr made = CastTo(cast->value, cast->dtype);
      const auto* again = made.as<CastNode>();
      return again == nullptr || again->value.same_as(cast->value) ? made : New(made, node);
    }
    if (const auto* no = node.as<NotNode>()) return New(Negated(no->a), node);
    if (const auto* select = node.as<SelectNode>()) {
      return New(Select(select->condition, select->true_value, select->false_value), node);
    }
    if (const auto* call = node.as<CallNode>();
        call != nullptr && std::string_view(call->op) == "if_then_else") {
      if (const std::optional<int64_t> value = AsInt(call->args[0]))
        return call->args[*value != 0 ? 1 : 2];
    }
    return node;
  }

  /// Returns what takes the place of a binary node that is no sum, or the node.
  PrimExpr Binary(const PrimExpr& node) {
    const auto* binary = node.as<BinaryNode>();
    if (binary == nullptr || !IsIndex(binary->a)) return Logic(node);
    return node.as<ArithmeticNode>() != nullptr ? Divided(node) : Compared(node, *binary);
  }

 private:
  PrimExpr New(PrimExpr made, const PrimExpr& before) {
    if (!IsSame(made, before)) left_work_ = true;
    return made;
  }
  PrimExpr NewSum(const Linear& sum, DType dtype) {
    if (sum.parts.size() > 1) left_work_ = true;
    return ExprOf(sum, dtype);
  }

  static PrimExpr Negated(const PrimExpr& e) {
    if (const auto* lt = e.as<LTNode>(); lt != nullptr && IsInteger(lt->a->dtype))
      return LE(lt->b, lt->a);
    if (const auto* le = e.as<LENode>(); le != nullptr && IsInteger(le->a->dtype))
      return LT(le->b, le->a);
    return Not(e);
  }

  static PrimExpr Logic(const PrimExpr& e) {
    const auto* logic = e.as<LogicNode>();
    if (logic != nullptr && IsSame(logic->a, logic->b)) return logic->a;
    return e;
  }

  PrimExpr Divided(const PrimExpr& e) {
    const auto* binary = e.as<BinaryNode>();
    const std::optional<Linear> sum = facts_.Exact(binary->a);
    if (!sum) return e;
    if (e.as<MinNode>() != nullptr || e.as<MaxNode>() != nullptr) {
      const std::optional<Linear> other = facts_.Exact(binary->b);
      if (!other) return e;
      Linear difference = *sum;
      difference.AddAll(*other, -1);
      const Bounds b = facts_.BoundsOf(difference);
      const bool is_min = e.as<MinNode>() != nullptr;
      if (b.max <= 0) return is_min ? binary->a : binary->b;
      if (b.min >= 0) return is_min ? binary->b : binary->a;
      return e;
    }
    const std::optional<int64_t> c = AsInt(binary->b);
    if (!c || *c < 1) return e;
    const Bounds a = facts_.BoundsOf(*sum);
    const bool is_floor = e.as<FloorDivNode>() != nullptr || e.as<FloorModNode>() != nullptr;
    if (!is_floor && a.min < 0) return e;
    const bool is_quotient = e.as<FloorDivNode>() != nullptr || e.as<DivNode>() != nullptr;
    if (a.min >= 0 && a.max < *c) return is_quotient ? IntConst(0, e->dtype) : binary->a;
    Linear multiples, rest;
    sum->Split(*c, &multiples, &rest);
    const Bounds b = facts_.BoundsOf(rest);
    if (!b.IsWithin(e->dtype)) return e;
    const bool fits = b.min >= 0 && b.max < *c;
    if (multiples.parts.empty() && multiples.constant == 0 && !fits)
      return New(Nested(e, *binary, *sum, *c, is_quotient), e);
    for (Linear::Part& part : multiples.parts) part.factor /= *c;
    multiples.constant /= *c;
    if (!is_quotient) {
      const PrimExpr remainder = NewSum(rest, e->dtype);
      return fits ? remainder : New(FloorMod(remainder, IntConst(*c, e->dtype)), e);
    }
    if (!facts_.BoundsOf(multiples).IsWithin(e->dtype)) return e;
    const PrimExpr whole = NewSum(multiples, e->dtype);
    if (fits) return whole;
    return New(Add(whole, FloorDiv(ExprOf(rest, e->dtype), IntConst(*c, e->dtype))), e);
  }

  /// (x // a) // b is x // (a * b), and (x * a) // (a * b) is x // b.
  static PrimExpr Nested(const PrimExpr& e, const BinaryNode& binary, const Linear& sum, int64_t c,
                         bool is_quotient) {
    const auto* inner = binary.a.as<FloorDivNode>();
    const std::optional<int64_t> d = inner == nullptr ? std::nullopt : AsInt(inner->b);
    if (is_quotient && d && *d > 0 && *d <= MaxOf(e->dtype) / c) {
      return FloorDiv(inner->a, IntConst(*d * c, e->dtype));
    }
    int64_t common = c;
    for (const Linear::Part& part : sum.parts) common = std::gcd(common, part.factor);
    common = std::gcd(common, sum.constant);
    if (common <= 1) return e;
    Linear less = sum;
    for (Linear::Part& part : less.parts) part.factor /= common;
    less.constant /= common;
    const PrimExpr a = ExprOf(less, e->dtype), b = IntConst(c / common, e->dtype);
    return is_quotient ? FloorDiv(a, b) : Mul(FloorMod(a, b), IntConst(common, e->dtype));
  }

  PrimExpr Compared(const PrimExpr& e, const BinaryNode& binary) const {
    const std::optional<Linear> a = facts_.Exact(binary.a), b = facts_.Exact(binary.b);
    if (!a || !b) return e;
    Linear over = *a, under = *b;  // a - b, b - a
    over.AddAll(*b, -1);
    under.AddAll(*a, -1);
    const auto decide = [&](bool yes, bool no) -> PrimExpr {
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
  bool left_work_ = false;
};

/// Simplifies an expression: its parts first, but a sum of sums as a whole. This uses the C stack, for
/// expressions that are not deep; for others, see Run.
class Simplification : public tain::ExprMutator<ObjectRef> {
 public:
  explicit Simplification(const Analyzer& facts) : rules_(facts) {}

  PrimExpr Run(const PrimExpr& e) {
    try {
      PrimExpr made = Simple(e);
      if (!is_too_deep_) return made;
    } catch (const tain::Error& error) {
      if (error.kind() != "RecursionError") throw;
    }
    is_too_deep_ = true;
    return RewriteExpr(e, [&](const PrimExpr& node) -> std::optional<PrimExpr> {
      const PrimExpr made = Made(node);
      return made.same_as(node) ? std::nullopt : std::make_optional(made);
    });
  }

  /// Whether what Run returned may become simpler by another run.
  bool left_work() const { return is_too_deep_ || has_limits_ || rules_.left_work(); }

  ObjectRef VisitExpr(const ObjectRef& part) override {
    if (part.as<PrimExprNode>() != nullptr) return Simple(tain::Downcast<PrimExpr>(part));
    // A load keeps its buffer or tensor, whatever is simpler in these.
    const bool stays = part.as<BufferNode>() != nullptr || part.as<DataProducerNode>() != nullptr;
    return stays ? part : ExprMutator::VisitExpr(part);
  }

 private:
  static constexpr int kDeepest = 200;
  static constexpr size_t kMostTerms = 256;
  static constexpr int kMostVisits = 1000;

  static bool IsLeaf(const PrimExpr& e) {
    return e.as<VarNode>() != nullptr || e.as<IntImmNode>() != nullptr ||
           e.as<FloatImmNode>() != nullptr;
  }
  static bool IsSum(const BinaryNode* e) { return e != nullptr && IsIndex(e->a) && IsLinear(*e); }

  /// Returns what an expression becomes. Its parent holds it, and perhaps the caller too.
  PrimExpr Simple(const PrimExpr& e, int holders = 1) {
    if (is_too_deep_ || IsLeaf(e)) return e;
    const bool is_shared = e.use_count() > holders;
    if (is_shared) {
      const auto known = known_.find(e.get());
      if (known != known_.end()) return known->second.second;
    }
    CheckStack(e);
    if (depth_ == kDeepest) is_too_deep_ = true;
    ++depth_;
    PrimExpr made = WithSimpleParts(e);
    --depth_;
    if (is_shared) known_.emplace(e.get(), std::make_pair(e, made));
    return made;
  }

  PrimExpr WithSimpleParts(const PrimExpr& e) {
    if (const auto* binary = e.as<BinaryNode>()) {
      if (IsSum(binary)) return Kept(Sum(e, false), e);
      const PrimExpr a = Simple(binary->a), b = Simple(binary->b);
      const bool is_same = a.same_as(binary->a) && b.same_as(binary->b);
      return Made(is_same ? e : RemakeBinary(*binary, a, b));
    }
    if (const auto* cast = e.as<CastNode>()) {
      const PrimExpr value = Simple(cast->value);
      return value.same_as(cast->value) ? Made(e) : CastTo(value, cast->dtype);
    }
    return Made(tain::Downcast<PrimExpr>(ExprMutator::VisitExprDefault_(e.get())));
  }

  /// Returns what a node becomes whose parts are simple.
  PrimExpr Made(const PrimExpr& node) {
    const auto* binary = node.as<BinaryNode>();
    if (binary == nullptr) return Kept(rules_.Apply(node), node);
    const PrimExpr folded = RemakeBinary(*binary, binary->a, binary->b);
    const bool is_sum = IsSum(folded.as<BinaryNode>());
    return Kept(is_sum ? Sum(folded, true) : rules_.Binary(folded), node);
  }
  static PrimExpr Kept(const PrimExpr& made, const PrimExpr& node) {
    return IsSame(made, node) ? node : made;  // what does not change stays
  }

  /// Returns a sum of sums with equal terms joined.
  PrimExpr Sum(const PrimExpr& whole, bool is_simple) {
    struct Item {
      const PrimExprNode* node;
      int64_t factor;
      bool is_simple;
    };
    std::vector<Item> left{{whole.get(), 1, is_simple}};
    std::vector<PrimExpr> held;  // simpler terms
    std::optional<PrimExpr> result;
    Linear sum;
    int visits = 0;  // of simple parts: these may be shared, and are met again and again
    while (!left.empty()) {
      const Item item = left.back();
      left.pop_back();
      const auto e = tain::GetRef<PrimExpr>(item.node);
      const auto* binary = e.as<BinaryNode>();
      const bool goes_on =
          item.node == whole.get() ||
          (IsSum(binary) && (item.is_simple ? ++visits <= kMostVisits : e.use_count() == 2));
      if (goes_on) {
        const auto [a, b] = FactorsOf(*binary);
        if (b != 0) left.push_back({binary->b.get(), Times(item.factor, b), item.is_simple});
        if (a != 0) left.push_back({binary->a.get(), Times(item.factor, a), item.is_simple});
      } else if (const auto* constant = e.as<IntImmNode>()) {
        sum.constant = Plus(sum.constant, Times(constant->value, item.factor));
      } else if (item.is_simple || IsLeaf(e)) {
        sum.Add(e, item.factor);
      } else {
        held.push_back(Simple(e, 2));
        left.push_back({held.back().get(), item.factor, true});
      }
      if (visits > kMostVisits) has_limits_ = true;
      if (sum.parts.size() < kMostTerms) continue;
      has_limits_ = true;
      result = Joined(&sum, whole->dtype, result);
      sum = {};
    }
    return Joined(&sum, whole->dtype, result);
  }
  static PrimExpr Joined(Linear* sum, DType dtype, const std::optional<PrimExpr>& before) {
    sum->JoinRemainders();
    sum->Wrap(dtype.bits);
    return ExprOf(*sum, dtype, before);
  }

  Rules rules_;
  int depth_ = 0;
  bool is_too_deep_ = false;
  bool has_limits_ = false;  ///< whether a sum has more terms than are collected at once
  /// What shared nodes become. Each is held, so that no other one gets its address.
  std::unordered_map<const PrimExprNode*, std::pair<PrimExpr, PrimExpr>> known_;
};

}  // namespace

PrimExpr Analyzer::Simplify(const PrimExpr& e) const {
  PrimExpr result = e;
  for (int round = 0; round < 4; ++round) {  // a rule may make room for another
    const PrimExpr before = result;
    Simplification run(*this);
    result = run.Run(result);
    if (!run.left_work() || result.same_as(before)) break;
  }
  return result;
}

}  // namespace tensorexpr
