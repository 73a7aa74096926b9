// SPDX-License-Identifier: Apache-2.0
// The pass that tests indices before memory is read or written; see passes.h.
#include <unordered_set>

#include "passes/passes.h"
#include "passes/simplifier.h"
#include "script/script.h"

namespace tensorexpr {
namespace {

/// The nodes of an expression, counted at each place where they stand; at most a number.
int NodesOf(const PrimExpr& e, int most) {
  int count = 1;
  tain::Array<PrimExpr> parts;
  if (const auto* binary = e.as<BinaryNode>()) parts = {binary->a, binary->b};
  if (const auto* cast = e.as<CastNode>()) parts = {cast->value};
  if (const auto* call = e.as<CallNode>()) parts = call->args;
  if (const auto* load = e.as<BufferLoadNode>()) parts = load->indices;
  if (e.as<SelectNode>() != nullptr || e.as<LetNode>() != nullptr) return most;
  for (const PrimExpr& one : parts) {
    if (count < most) count += NodesOf(one, most - count);
  }
  return count;
}
/// The text of an expression for a message.
std::string Shortened(const PrimExpr& e) {
  return NodesOf(e, 60) < 60 ? ExprScript(e) : std::string("(a large expression)");
}

/// Finds the indices in expressions that may be out of range, and what to test for them.
class IndexTests : public tain::ExprFunctor<void(const PrimExpr&), VarNode> {
 public:
  explicit IndexTests(Analyzer* facts) : facts_(facts), seen_(1) {}

  struct Test {
    PrimExpr condition;
    std::string message;
  };
  /// In the order in which the indices are computed.
  std::vector<Test> tests;

  void Visit(const PrimExpr& e) { VisitExpr(e); }  // which says if the stack ends

  void VisitExpr_(const VarNode*) override {}
  void VisitExprDefault_(const tain::Object* node) override {
    const PrimExpr e = tain::GetRef<PrimExpr>(static_cast<const PrimExprNode*>(node));
    for (const auto& seen : seen_) {
      if (seen.count(e.get()) != 0) return;
    }
    if (++visited_ > kMostParts) {
      TAIN_THROW(ValueError)
          << "the indices of an expression cannot be tested: more than " << kMostParts
          << " of its parts depend on conditions; bind them to variables (tir.Let)";
    }
    if (const auto* logic = e.as<LogicNode>()) {
      Visit(logic->a);
      Under(logic->a, e.as<AndNode>() != nullptr, logic->b);
    } else if (const auto* binary = e.as<BinaryNode>()) {
      Visit(binary->a);
      Visit(binary->b);
    } else if (const auto* cast = e.as<CastNode>()) {
      Visit(cast->value);
    } else if (const auto* no = e.as<NotNode>()) {
      Visit(no->a);
    } else if (const auto* select = e.as<SelectNode>()) {
      Visit(select->condition);
      Visit(select->true_value);
      Visit(select->false_value);
    } else if (const auto* ramp = e.as<RampNode>()) {
      Visit(ramp->base);
      Visit(ramp->stride);
    } else if (const auto* broadcast = e.as<BroadcastNode>()) {
      Visit(broadcast->value);
    } else if (const auto* let = e.as<LetNode>()) {
      Visit(let->value);
      facts_->BindValue(let->var, let->value);
      around_.push_back({let->value, tain::Optional<Var>(let->var), true});
      Inside(let->body);
    } else if (const auto* call = e.as<CallNode>()) {
      const bool is_choice = std::string_view(call->op) == "if_then_else";
      for (size_t i = 0; i < (is_choice ? 1 : call->args.size()); ++i) Visit(call->args[i]);
      if (is_choice) {
        Under(call->args[0], true, call->args[1]);
        Under(call->args[0], false, call->args[2]);
      }
    } else if (const auto* load = e.as<BufferLoadNode>()) {
      for (const PrimExpr& one : load->indices) Visit(one);
      Indices(load->buffer, load->indices);
    }
    seen_.back().insert(e.get());
  }

  void Indices(const Buffer& buffer, const Exprs& indices) {
    for (size_t k = 0; k < indices.size(); ++k) {
      if (const auto* ramp = indices[k].as<RampNode>()) {
        Index(buffer, k, ramp->base);
        const PrimExpr last = IntConst(ramp->lanes - 1, ramp->base->dtype);
        Index(buffer, k, Add(ramp->base, Mul(ramp->stride, last)));
      } else if (indices[k]->dtype.lanes == 1) {
        Index(buffer, k, indices[k]);
      }
    }
  }

 private:
  static constexpr int kMostParts = 100000;
  /// Where the walk is: behind a condition that holds or does not, or in the body of a Let.
  struct Around {
    PrimExpr e;
    tain::Optional<Var> var;
    bool holds;
  };

  void Under(const PrimExpr& condition, bool holds, const PrimExpr& e) {
    const Analyzer::Assumption assumed(facts_, condition, holds);
    around_.push_back({condition, tain::Optional<Var>(), holds});
    Inside(e);
  }
  void Inside(const PrimExpr& e) {
    seen_.emplace_back();
    Visit(e);
    seen_.pop_back();
    around_.pop_back();
  }

  /// Whether a bound of an index is known to hold: the upper one of a maximum if it holds for both parts.
  template <class Bound>
  bool Holds(const PrimExpr& e, bool is_upper, const Bound& bound, int depth = 0) {
    const auto* binary = e.as<BinaryNode>();
    const bool is_min = e.as<MinNode>() != nullptr;
    if (depth == 4 || (!is_min && e.as<MaxNode>() == nullptr)) return facts_->Proves(bound(e));
    const bool a = Holds(binary->a, is_upper, bound, depth + 1),
               b = Holds(binary->b, is_upper, bound, depth + 1);
    return is_min == is_upper ? a || b : a && b;
  }
  void Index(const Buffer& buffer, size_t k, const PrimExpr& index) {
    // As the code sees it: a large unsigned number is a negative one.
    const PrimExpr at =
        IsInt(index->dtype) && index->dtype.bits >= 32 ? index : CastTo(index, kInt64);
    const PrimExpr low = LE(IntConst(0, at->dtype), at), high = LT(at, buffer->shape[k]);
    const bool is_low =
        Holds(at, false, [&](const PrimExpr& e) { return LE(IntConst(0, e->dtype), e); });
    const bool is_high =
        Holds(at, true, [&](const PrimExpr& e) { return LT(e, buffer->shape[k]); });
    if (is_low && is_high) return;
    PrimExpr test = is_low ? high : is_high ? low : And(low, high);
    for (size_t i = around_.size(); i-- > 0;) {
      const Around& one = around_[i];
      if (one.var.has_value()) {
        test = PrimExpr(tain::make_object<LetNode>(*one.var, one.e, test));
      } else {
        test = Or(one.holds ? Not(one.e) : one.e, test);
      }
    }
    tests.push_back({test, std::string(buffer->name) + ": the index " + Shortened(index) +
                               " of dimension " + std::to_string(k) + " is not in range(0, " +
                               Shortened(buffer->shape[k]) + ")"});
  }

  Analyzer* facts_;
  /// For each place around, and outside of all.
  std::vector<std::unordered_set<const PrimExprNode*>> seen_;
  std::vector<Around> around_;
  int visited_ = 0;
};

class BoundsChecker : public Simplifier {
 public:
  /// A choice computes both values where that is safe; here, one of them may read what is not there.
  PrimExpr Simplified(const PrimExpr& e) override {
    return RewriteExpr(
        Simplifier::Simplified(e), [this](const PrimExpr& part) -> std::optional<PrimExpr> {
          const auto* select = part.as<SelectNode>();
          if (select == nullptr || select->dtype.lanes != 1) return std::nullopt;
          IndexTests found(&facts_);
          found.Visit(select->true_value);
          found.Visit(select->false_value);
          if (found.tests.empty()) return std::nullopt;
          const Exprs args{select->condition, select->true_value, select->false_value};
          return PrimExpr(tain::make_object<CallNode>(part->dtype, "if_then_else", args));
        });
  }

  Stmt Visit(const Stmt& s) override {
    const Stmt made = VisitExpr(s);
    if (!done_.emplace(made.get(), made).second) return made;  // what is left of a loop of one step
    IndexTests found(&facts_);
    if (const auto* store = made.as<BufferStoreNode>()) {
      for (const PrimExpr& one : store->indices) found.Visit(one);
      found.Visit(store->value);
      found.Indices(store->buffer, store->indices);
    } else if (const auto* loop = made.as<ForNode>()) {
      found.Visit(loop->min);
      found.Visit(loop->extent);
    } else if (const auto* choice = made.as<IfThenElseNode>()) {
      found.Visit(choice->condition);
    } else if (const auto* evaluate = made.as<EvaluateNode>()) {
      found.Visit(evaluate->value);
    } else if (const auto* let = made.as<LetStmtNode>()) {
      found.Visit(let->value);
    } else if (const auto* asserted = made.as<AssertStmtNode>()) {
      found.Visit(asserted->condition);
    }
    Stmt tested = made;
    for (auto test = found.tests.rbegin(); test != found.tests.rend(); ++test) {
      tested = Stmt(
          tain::make_object<AssertStmtNode>(test->condition, test->message, tested, "IndexError"));
      done_.emplace(tested.get(), tested);
    }
    return tested;
  }

 private:
  std::unordered_map<const StmtNode*, Stmt> done_;
};

}  // namespace

Stmt CheckBounds(const Stmt& s) { return BoundsChecker().Visit(s); }

}  // namespace tensorexpr
