// SPDX-License-Identifier: Apache-2.0
// Expressions in C.
#pragma once

#include <tain/graph/functor.h>

#include "codegen/c_types.h"
#include "script/names.h"
#include "tir/ops.h"
#include "tir/stmt.h"

namespace tensorexpr {

class CExpr
    : public tain::ExprFunctor<std::string(const PrimExpr&), VarNode, IntImmNode, FloatImmNode,
                               StringImmNode, CastNode, AddNode, SubNode, MulNode, DivNode, ModNode,
                               FloorDivNode, FloorModNode, MinNode, MaxNode, ComparisonNode,
                               LogicNode, NotNode, SelectNode, RampNode, BroadcastNode, LetNode,
                               CallNode, BufferLoadNode> {
 public:
  CExpr();
  /// The name of a variable, which is declared by it.
  std::string NameOf(const Var& v) { return names.Of(v.get(), std::string(v->name) + "_"); }
  /// The pointer to the first element of a buffer.
  std::string NameOf(const Buffer& b) { return names.Of(b.get(), std::string(b->name) + "_"); }
  /// Returns the place of an element, counted from the first one. The last index may be a vector: then
  /// `stride` is the distance of its elements, and the place is that of the first one.
  std::string Offset(const Buffer& b, const Exprs& indices, std::string* stride = nullptr);
  std::string Type(DType dtype) { return types.Type(dtype); }

  Names names;
  VectorTypes types;
  std::string prototypes;  ///< of the functions of C that are called

  std::string VisitExpr_(const VarNode* e) override;
  std::string VisitExpr_(const IntImmNode* e) override;
  std::string VisitExpr_(const FloatImmNode* e) override;
  std::string VisitExpr_(const StringImmNode* e) override;
  std::string VisitExpr_(const CastNode* e) override;
  std::string VisitExpr_(const AddNode* e) override { return Infix(e, "+"); }
  std::string VisitExpr_(const SubNode* e) override { return Infix(e, "-"); }
  std::string VisitExpr_(const MulNode* e) override { return Infix(e, "*"); }
  std::string VisitExpr_(const DivNode* e) override { return Divided(e, "/", "te_div_"); }
  std::string VisitExpr_(const ModNode* e) override;
  std::string VisitExpr_(const FloorDivNode* e) override { return Divided(e, "", "te_floordiv_"); }
  std::string VisitExpr_(const FloorModNode* e) override { return Divided(e, "", "te_floormod_"); }
  std::string VisitExpr_(const MinNode* e) override { return Chosen(e, "<"); }
  std::string VisitExpr_(const MaxNode* e) override { return Chosen(e, ">"); }
  std::string VisitExpr_(const ComparisonNode* e) override;
  std::string VisitExpr_(const LogicNode* e) override;
  std::string VisitExpr_(const NotNode* e) override;
  std::string VisitExpr_(const SelectNode* e) override;
  std::string VisitExpr_(const RampNode* e) override;
  std::string VisitExpr_(const BroadcastNode* e) override;
  std::string VisitExpr_(const LetNode* e) override;
  std::string VisitExpr_(const CallNode* e) override;
  std::string VisitExpr_(const BufferLoadNode* e) override;
  std::string VisitExprDefault_(const tain::Object* e) override;

 private:
  std::string Infix(const BinaryNode* e, const char* symbol);
  std::string Divided(const BinaryNode* e, const char* symbol, const char* helper);
  std::string Chosen(const BinaryNode* e, const char* symbol);
  std::string MaskedChoice(DType dtype, const std::string& mask, const std::string& a,
                           const std::string& b);
  std::string Elementwise(DType dtype, const std::vector<PrimExpr>& args,
                          const std::string& call_begin);
  std::string Extern(const CallNode* e);

  std::set<std::string> declared_;
};

}  // namespace tensorexpr
