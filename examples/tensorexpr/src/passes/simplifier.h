// SPDX-License-Identifier: Apache-2.0
// A walk through the statements of a program that knows what holds at each place, and simplifies them.
#pragma once

#include <tain/graph/functor.h>

#include "arith/analyzer.h"
#include "tir/stmt.h"

namespace tensorexpr {

class Simplifier : public tain::ExprFunctor<Stmt(const Stmt&), LetStmtNode, AttrStmtNode,
                                            AssertStmtNode, BufferStoreNode, AllocateNode, ForNode,
                                            IfThenElseNode, SeqStmtNode, EvaluateNode> {
 public:
  /// Returns what a statement becomes. All statements below a statement come here, too.
  virtual Stmt Visit(const Stmt& s) { return VisitExpr(s); }
  /// Returns what an expression of a statement becomes.
  virtual PrimExpr Simplified(const PrimExpr& e) { return facts_.Simplify(e); }

  Stmt VisitExpr_(const LetStmtNode* s) override;
  Stmt VisitExpr_(const AttrStmtNode* s) override;
  Stmt VisitExpr_(const AssertStmtNode* s) override;
  Stmt VisitExpr_(const BufferStoreNode* s) override;
  Stmt VisitExpr_(const AllocateNode* s) override;
  Stmt VisitExpr_(const ForNode* s) override;
  Stmt VisitExpr_(const IfThenElseNode* s) override;
  Stmt VisitExpr_(const SeqStmtNode* s) override;
  Stmt VisitExpr_(const EvaluateNode* s) override;
  Stmt VisitExprDefault_(const tain::Object* s) override;

 protected:
  /// Visits a statement that runs if a condition holds, or if it does not. It may change memory, so only a
  /// condition that reads none holds in all of it.
  Stmt Assuming(const PrimExpr& condition, bool holds, const Stmt& s);

  Analyzer facts_;  ///< what is known where the walk is
};

}  // namespace tensorexpr
