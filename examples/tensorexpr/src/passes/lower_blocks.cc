// SPDX-License-Identifier: Apache-2.0
// The pass that makes loops of blocks: their axes become the values of the loops.
#include <tain/graph/functor.h>

#include "passes/passes.h"
#include "tir/substitute.h"

namespace tensorexpr {
namespace {

/// Whether the loop gives an axis of a reduction its values.
bool Reduces(const BlockRealizeNode& s, const Var& loop) {
  const tain::Array<IterVar>& axes = s.block->iter_vars;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i]->iter_type != IterType::kCommReduce) continue;
    if (UsesVar(s.iter_values[i], [&](const VarNode* var) { return var == loop.get(); }))
      return true;
  }
  return false;
}

/// The body and the start of a block, for the values of its axes.
struct Parts {
  Stmt body;
  tain::Optional<Stmt> init;
};

class BlockLowerer : public tain::ExprMutator<Stmt, ForNode, BlockRealizeNode> {
 public:
  Stmt VisitExpr_(const ForNode* s) override {
    std::vector<const ForNode*> nest{s};
    while (const auto* inner = nest.back()->body.as<ForNode>()) nest.push_back(inner);
    const Stmt& body = nest.back()->body;
    if (const auto* block = body.as<BlockRealizeNode>()) return LowerNest(nest, *block);
    std::vector<Loop> loops;
    for (const ForNode* one : nest) loops.push_back(LoopOf(one));
    return Nest(loops, Mutate(body));
  }
  Stmt VisitExpr_(const BlockRealizeNode* s) override { return LowerNest({}, *s); }

 private:
  static Loop LoopOf(const ForNode* s) { return {s->loop_var, s->min, s->extent, s->kind}; }

  Parts LowerBlock(const BlockRealizeNode& s) {
    VarMap vars;
    for (size_t i = 0; i < s.iter_values.size(); ++i) {
      vars.emplace(s.block->iter_vars[i]->var.get(), s.iter_values[i]);
    }
    Stmt body = Guarded(s.predicate, Mutate(Substitute(s.block->body, vars)));
    tain::Optional<Stmt> init;
    if (s.block->init.has_value()) init = Substitute(*s.block->init, vars);
    for (auto buffer = s.block->alloc_buffers.rbegin(); buffer != s.block->alloc_buffers.rend();
         ++buffer) {
      body = Stmt(tain::make_object<AllocateNode>(*buffer, body));
    }
    return {body, init};
  }

  /// A chain of loops down to a block: the start of a reduction stands before its first loop.
  Stmt LowerNest(const std::vector<const ForNode*>& nest, const BlockRealizeNode& s) {
    const Parts parts = LowerBlock(s);
    std::vector<Loop> outer, inner, starts;
    bool is_inside = false;
    for (const ForNode* one : nest) {
      const bool reduces = parts.init.has_value() && Reduces(s, one->loop_var);
      is_inside = is_inside || reduces;
      (is_inside ? inner : outer).push_back(LoopOf(one));
      if (is_inside && !reduces) starts.push_back(LoopOf(one));
    }
    if (!parts.init.has_value()) return Nest(outer, parts.body);
    VarMap fresh;  // each loop has a variable of its own
    for (Loop& one : starts) {
      const Var var(tain::make_object<VarNode>(one.var->name, one.var->dtype));
      fresh.emplace(one.var.get(), var);
      one.var = var;
    }
    const Stmt init = Nest(starts, Substitute(*parts.init, fresh));
    return Nest(outer, Sequence({init, Nest(inner, parts.body)}));
  }
};

}  // namespace

Stmt LowerBlocks(const Stmt& s) { return BlockLowerer().Mutate(s); }

}  // namespace tensorexpr
