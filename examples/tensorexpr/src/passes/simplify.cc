// SPDX-License-Identifier: Apache-2.0
// The pass that simplifies programs; see passes.h.
#include "passes/passes.h"
#include "passes/simplifier.h"
#include "tir/ops.h"
#include "tir/same.h"

namespace tensorexpr {
namespace {

Stmt Nothing() { return Stmt(tain::make_object<SeqStmtNode>(tain::Array<Stmt>())); }
bool IsNothing(const Stmt& s) {
  const auto* seq = s.as<SeqStmtNode>();
  return seq != nullptr && seq->seq.empty();
}

}  // namespace

Stmt Simplifier::VisitExpr_(const LetStmtNode* s) {
  const PrimExpr value = Simplified(s->value);
  facts_.BindValue(s->var, value);
  const Stmt body = Visit(s->body);
  return IsNothing(body) ? body : Stmt(tain::make_object<LetStmtNode>(s->var, value, body));
}

Stmt Simplifier::VisitExpr_(const AttrStmtNode* s) {
  return Stmt(
      tain::make_object<AttrStmtNode>(s->node, s->attr_key, Simplified(s->value), Visit(s->body)));
}

Stmt Simplifier::VisitExpr_(const AssertStmtNode* s) {
  const PrimExpr condition = Simplified(s->condition);
  const Stmt body = Assuming(condition, true, s->body);
  if (IsConstInt(condition, 1)) return body;
  return Stmt(tain::make_object<AssertStmtNode>(condition, s->message, body, s->kind));
}

Stmt Simplifier::VisitExpr_(const BufferStoreNode* s) {
  Exprs indices;
  for (const PrimExpr& one : s->indices) indices.push_back(Simplified(one));
  return Stmt(tain::make_object<BufferStoreNode>(s->buffer, Simplified(s->value), indices));
}

Stmt Simplifier::VisitExpr_(const AllocateNode* s) {
  const Stmt body = Visit(s->body);
  return IsNothing(body) ? body : Stmt(tain::make_object<AllocateNode>(s->buffer, body));
}

Stmt Simplifier::VisitExpr_(const ForNode* s) {
  const PrimExpr min = Simplified(s->min), extent = Simplified(s->extent);
  const std::optional<int64_t> steps = AsInt(extent);
  if (steps && *steps <= 0) return Nothing();
  if (steps && *steps == 1) return Visit(Substitute(s->body, {{s->loop_var.get(), min}}));
  facts_.Bind(s->loop_var, min, extent);
  const Stmt body = Visit(s->body);
  if (IsNothing(body)) return body;
  return Stmt(tain::make_object<ForNode>(s->loop_var, min, extent, s->kind, body));
}

Stmt Simplifier::VisitExpr_(const IfThenElseNode* s) {
  const PrimExpr condition = Simplified(s->condition);
  if (IsConstInt(condition, 1)) return Visit(s->then_case);
  if (IsConstInt(condition, 0)) return s->else_case.has_value() ? Visit(*s->else_case) : Nothing();
  const Stmt then_case = Assuming(condition, true, s->then_case);
  tain::Optional<Stmt> else_case;
  if (s->else_case.has_value()) {
    const Stmt other = Assuming(condition, false, *s->else_case);
    if (!IsNothing(other)) else_case = other;
  }
  if (IsNothing(then_case) && !else_case.has_value()) return Nothing();
  return Stmt(tain::make_object<IfThenElseNode>(condition, then_case, else_case));
}

Stmt Simplifier::VisitExpr_(const SeqStmtNode* s) {
  std::vector<Stmt> parts;
  for (const Stmt& one : s->seq) {
    const Stmt made = Visit(one);
    if (!IsNothing(made)) parts.push_back(made);
  }
  return parts.empty() ? Nothing() : Sequence(parts);
}

Stmt Simplifier::VisitExpr_(const EvaluateNode* s) {
  const PrimExpr value = Simplified(s->value);
  if (AsNumber(value)) return Nothing();
  return Stmt(tain::make_object<EvaluateNode>(value));
}

Stmt Simplifier::VisitExprDefault_(const tain::Object* s) {
  return tain::GetRef<Stmt>(static_cast<const StmtNode*>(s));
}

Stmt Simplifier::Assuming(const PrimExpr& condition, bool holds, const Stmt& s) {
  if (!IsConstant(condition)) return Visit(s);
  const Analyzer::Assumption assumed(&facts_, condition, holds);
  return Visit(s);
}

Stmt SimplifyStmt(const Stmt& s) { return Simplifier().Visit(s); }

}  // namespace tensorexpr
