// SPDX-License-Identifier: Apache-2.0
// The pass that simplifies programs; see passes.h.
#include <tain/graph/functor.h>

#include "arith/analyzer.h"
#include "passes/passes.h"
#include "tir/ops.h"

namespace tensorexpr {
namespace {

class Simplifier : public tain::ExprFunctor<Stmt(const Stmt&), LetStmtNode, AttrStmtNode,
                                            AssertStmtNode, BufferStoreNode, AllocateNode, ForNode,
                                            IfThenElseNode, SeqStmtNode, EvaluateNode> {
 public:
  Stmt VisitExpr_(const LetStmtNode* s) override {
    const PrimExpr value = facts_.Simplify(s->value);
    facts_.BindValue(s->var, value);
    const Stmt body = VisitExpr(s->body);
    return IsNothing(body) ? body : Stmt(tain::make_object<LetStmtNode>(s->var, value, body));
  }
  Stmt VisitExpr_(const AttrStmtNode* s) override {
    return Stmt(tain::make_object<AttrStmtNode>(s->node, s->attr_key, facts_.Simplify(s->value),
                                                VisitExpr(s->body)));
  }
  Stmt VisitExpr_(const AssertStmtNode* s) override {
    const PrimExpr condition = facts_.Simplify(s->condition);
    const Stmt body = VisitExpr(s->body);
    if (IsConstInt(condition, 1)) return body;
    return Stmt(tain::make_object<AssertStmtNode>(condition, s->message, body));
  }
  Stmt VisitExpr_(const BufferStoreNode* s) override {
    Exprs indices;
    for (const PrimExpr& one : s->indices) indices.push_back(facts_.Simplify(one));
    return Stmt(tain::make_object<BufferStoreNode>(s->buffer, facts_.Simplify(s->value), indices));
  }
  Stmt VisitExpr_(const AllocateNode* s) override {
    const Stmt body = VisitExpr(s->body);
    return IsNothing(body) ? body : Stmt(tain::make_object<AllocateNode>(s->buffer, body));
  }
  Stmt VisitExpr_(const ForNode* s) override {
    const PrimExpr min = facts_.Simplify(s->min), extent = facts_.Simplify(s->extent);
    const std::optional<int64_t> steps = AsInt(extent);
    if (steps && *steps <= 0) return Nothing();
    if (steps && *steps == 1) return VisitExpr(Substitute(s->body, {{s->loop_var.get(), min}}));
    facts_.Bind(s->loop_var, min, extent);
    const Stmt body = VisitExpr(s->body);
    if (IsNothing(body)) return body;
    return Stmt(tain::make_object<ForNode>(s->loop_var, min, extent, s->kind, body));
  }
  Stmt VisitExpr_(const IfThenElseNode* s) override {
    const PrimExpr condition = facts_.Simplify(s->condition);
    if (IsConstInt(condition, 1)) return VisitExpr(s->then_case);
    if (IsConstInt(condition, 0))
      return s->else_case.has_value() ? VisitExpr(*s->else_case) : Nothing();
    const Stmt then_case = VisitExpr(s->then_case);
    tain::Optional<Stmt> else_case;
    if (s->else_case.has_value()) {
      const Stmt other = VisitExpr(*s->else_case);
      if (!IsNothing(other)) else_case = other;
    }
    if (IsNothing(then_case) && !else_case.has_value()) return Nothing();
    return Stmt(tain::make_object<IfThenElseNode>(condition, then_case, else_case));
  }
  Stmt VisitExpr_(const SeqStmtNode* s) override {
    std::vector<Stmt> parts;
    for (const Stmt& one : s->seq) {
      const Stmt made = VisitExpr(one);
      if (!IsNothing(made)) parts.push_back(made);
    }
    return parts.empty() ? Nothing() : Sequence(parts);
  }
  Stmt VisitExpr_(const EvaluateNode* s) override {
    const PrimExpr value = facts_.Simplify(s->value);
    if (AsNumber(value)) return Nothing();
    return Stmt(tain::make_object<EvaluateNode>(value));
  }
  Stmt VisitExprDefault_(const tain::Object* s) override {
    return tain::GetRef<Stmt>(static_cast<const StmtNode*>(s));
  }

 private:
  static Stmt Nothing() { return Stmt(tain::make_object<SeqStmtNode>(tain::Array<Stmt>())); }
  static bool IsNothing(const Stmt& s) {
    const auto* seq = s.as<SeqStmtNode>();
    return seq != nullptr && seq->seq.empty();
  }

  Analyzer facts_;
};

}  // namespace

Stmt SimplifyStmt(const Stmt& s) { return Simplifier().VisitExpr(s); }

}  // namespace tensorexpr
