// SPDX-License-Identifier: Apache-2.0
// The pass that refuses programs whose variables and buffers are not what they seem; see passes.h.
#include <tain/graph/functor.h>
#include <tain/graph/visit.h>

#include <unordered_set>

#include "passes/passes.h"

namespace tensorexpr {
namespace {

void CheckType(std::string_view where, DType expected, DType got) {
  if (expected == got) return;
  TAIN_THROW(TypeError) << where << ": expected " << Text(expected) << ", got " << Text(got);
}

/// Constructors refuse parts of other types, but a pass that replaces parts may put them there.
void CheckTypes(const tain::Any& node) {
  if (const auto* binary = node.as<BinaryNode>()) {
    const std::string key = binary->GetTypeKey();
    const std::string name = key.substr(key.rfind('.') + 1);
    CheckType(name + ", operand b", binary->a->dtype, binary->b->dtype);
    const bool is_bool = node.as<ComparisonNode>() != nullptr || node.as<LogicNode>() != nullptr;
    const DType bools = WithLanes(kBool, binary->a->dtype.lanes);
    CheckType(name, binary->dtype, is_bool ? bools : binary->a->dtype);
    if (node.as<LogicNode>() != nullptr) CheckType(name + ", operand a", bools, binary->a->dtype);
  } else if (const auto* select = node.as<SelectNode>()) {
    CheckType("Select, true_value", select->dtype, select->true_value->dtype);
    CheckType("Select, false_value", select->dtype, select->false_value->dtype);
    CheckType("Select, condition", kBool, ElementOf(select->condition->dtype));
  } else if (const auto* let = node.as<LetNode>()) {
    CheckType("Let, value", let->var->dtype, let->value->dtype);
    CheckType("Let, body", let->dtype, let->body->dtype);
  } else if (const auto* load = node.as<BufferLoadNode>()) {
    CheckType("BufferLoad", load->dtype,
              tain::make_object<BufferLoadNode>(load->buffer, load->indices)->dtype);
  }
}

class Verifier
    : public tain::ExprFunctor<void(const Stmt&), LetStmtNode, AttrStmtNode, AssertStmtNode,
                               BufferStoreNode, AllocateNode, ForNode, IfThenElseNode, SeqStmtNode,
                               EvaluateNode, BlockRealizeNode> {
 public:
  void Function(const PrimFunc& f) {
    for (const Var& param : f->params) Define(param);
    for (const auto& [param, buffer] : f->buffer_map) DefineBuffer(buffer);
    VisitExpr(f->body);
  }

  void VisitExpr_(const LetStmtNode* s) override {
    CheckType("LetStmt, value", s->var->dtype, s->value->dtype);
    Use(s->value);
    Define(s->var);
    VisitExpr(s->body);
    scope_.erase(s->var.get());
  }
  void VisitExpr_(const AttrStmtNode* s) override { VisitExpr(s->body); }
  void VisitExpr_(const AssertStmtNode* s) override {
    Use(s->condition);
    VisitExpr(s->body);
  }
  void VisitExpr_(const BufferStoreNode* s) override {
    UseBuffer(s->buffer.get());
    tain::make_object<BufferStoreNode>(s->buffer, s->value, s->indices);  // throws as Python's does
    Use(s->value);
    for (const PrimExpr& one : s->indices) Use(one);
  }
  void VisitExpr_(const AllocateNode* s) override {
    for (const PrimExpr& one : s->buffer->shape) Use(one);
    DefineBuffer(s->buffer);
    VisitExpr(s->body);
    ForgetBuffer(s->buffer);
  }
  void VisitExpr_(const ForNode* s) override {
    Use(s->min);
    Use(s->extent);
    CheckType("For, min", s->loop_var->dtype, s->min->dtype);
    CheckType("For, extent", s->loop_var->dtype, s->extent->dtype);
    Define(s->loop_var);
    VisitExpr(s->body);
    scope_.erase(s->loop_var.get());
  }
  void VisitExpr_(const IfThenElseNode* s) override {
    CheckType("IfThenElse, condition", kBool, s->condition->dtype);
    Use(s->condition);
    VisitExpr(s->then_case);
    if (s->else_case.has_value()) VisitExpr(*s->else_case);
  }
  void VisitExpr_(const SeqStmtNode* s) override {
    for (const Stmt& one : s->seq) VisitExpr(one);
  }
  void VisitExpr_(const EvaluateNode* s) override { Use(s->value); }
  void VisitExpr_(const BlockRealizeNode* s) override {
    const BlockNode& block = *s->block;
    if (s->iter_values.size() != block.iter_vars.size()) {
      TAIN_THROW(ValueError) << "the block " << std::string(block.name_hint) << " has "
                             << block.iter_vars.size() << " axes, got " << s->iter_values.size()
                             << " values for them";
    }
    for (const PrimExpr& one : s->iter_values) Use(one);
    Use(s->predicate);
    for (const IterVar& one : block.iter_vars) Define(one->var);
    for (const Buffer& one : block.alloc_buffers) DefineBuffer(one);
    if (block.init.has_value()) VisitExpr(*block.init);
    VisitExpr(block.body);
    for (const IterVar& one : block.iter_vars) scope_.erase(one->var.get());
    for (const Buffer& one : block.alloc_buffers) ForgetBuffer(one);
  }
  void VisitExprDefault_(const tain::Object*) override {}

 private:
  void Define(const Var& var) {
    if (!scope_.insert(var.get()).second) ThrowBoundAgain(*var);
  }
  [[noreturn]] static void ThrowBoundAgain(const VarNode& var) {
    TAIN_THROW(ValueError) << "the variable " << std::string(var.name)
                           << " is bound again inside of what binds it; give each parameter, loop "
                              "and let a variable of its own";
  }
  static std::vector<PrimExpr> PartsOf(const Buffer& b) {
    std::vector<PrimExpr> parts{b->elem_offset};
    parts.insert(parts.end(), b->shape.begin(), b->shape.end());
    parts.insert(parts.end(), b->strides.begin(), b->strides.end());
    return parts;
  }
  /// What is a variable by itself gets its value from the buffer, unless it has one.
  void DefineBuffer(const Buffer& b) {
    if (!buffers_.insert(b.get()).second) {
      TAIN_THROW(ValueError) << "the buffer " << std::string(b->name)
                             << " is given or allocated twice";
    }
    scope_.insert(b->data.get());
    for (const PrimExpr& part : PartsOf(b)) {
      if (const auto* var = part.as<VarNode>()) scope_.insert(var);
    }
  }
  void ForgetBuffer(const Buffer& b) {
    buffers_.erase(b.get());
    scope_.erase(b->data.get());
  }
  void UseBuffer(const BufferNode* b) const {
    if (buffers_.count(b) != 0) return;
    TAIN_THROW(ValueError)
        << "the buffer " << std::string(b->name)
        << " has no memory: it is no argument, and no Allocate is around its use";
  }

  void Use(const PrimExpr& e) {
    std::unordered_set<const VarNode*> bound;  // by expressions
    tain::PreOrderVisit(e, [&](const tain::Any& node) {
      if (const auto* let = node.as<LetNode>()) {
        if (scope_.count(let->var.get()) != 0 || !bound.insert(let->var.get()).second)
          ThrowBoundAgain(*let->var);
      }
      return MayEnter(node);
    });
    tain::PreOrderVisit(
        e, [&](const tain::Any& node) {
          if (const auto* buffer = node.as<BufferNode>()) UseBuffer(buffer);
          CheckTypes(node);
          const auto* var = node.as<VarNode>();
          if (var != nullptr && scope_.count(var) == 0 && bound.count(var) == 0) {
            TAIN_THROW(ValueError)
                << "the variable " << std::string(var->name)
                << " has no value: it is no argument, no extent of one by itself, and no axis of a "
                   "loop around its use";
          }
          return MayEnter(node);
        });
  }
  /// Buffers are looked at by themselves; what is not lowered is refused later.
  static bool MayEnter(const tain::Any& node) {
    return node.as<BufferNode>() == nullptr && node.as<ReduceNode>() == nullptr &&
           node.as<ProducerLoadNode>() == nullptr;
  }

  std::unordered_set<const VarNode*> scope_;
  std::unordered_set<const BufferNode*> buffers_;
};

}  // namespace

void Verify(const PrimFunc& f) { Verifier().Function(f); }

}  // namespace tensorexpr
