// SPDX-License-Identifier: Apache-2.0
// The pass that makes loops of blocks: their axes become the values of the loops.
#include <algorithm>

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

Stmt Lower(const Stmt& s);

/// The body and the start of a block, for the values of its axes.
struct Parts {
  Stmt body;
  tain::Optional<Stmt> init;
};

Parts LowerBlock(const BlockRealizeNode& s) {
  VarMap vars;
  for (size_t i = 0; i < s.iter_values.size(); ++i) {
    vars.emplace(s.block->iter_vars[i]->var.get(), s.iter_values[i]);
  }
  Stmt body = Guarded(s.predicate, Lower(Substitute(s.block->body, vars)));
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
  const auto loop_of = [](const ForNode* one) {
    return Loop{one->loop_var, one->min, one->extent, one->kind};
  };
  std::vector<Loop> outer, inner, starts;
  bool is_inside = false;
  for (const ForNode* one : nest) {
    const bool reduces = parts.init.has_value() && Reduces(s, one->loop_var);
    is_inside = is_inside || reduces;
    (is_inside ? inner : outer).push_back(loop_of(one));
    if (is_inside && !reduces) starts.push_back(loop_of(one));
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

constexpr int kDeepest = 1000;  ///< statements in each other, apart from loops
thread_local int depth = 0;

struct Deeper {
  Deeper() {
    if (++depth > kDeepest) {
      depth = 0;
      TAIN_THROW(RecursionError) << "LowerBlocks: more than " << kDeepest
                                 << " statements are nested";
    }
  }
  ~Deeper() { depth = std::max(depth - 1, 0); }
};

Stmt Lower(const Stmt& s) {
  const Deeper deeper;
  std::vector<const ForNode*> nest;
  const StmtNode* inner = s.get();
  while (const auto* loop = tain::ObjectRef(tain::GetRef<Stmt>(inner)).as<ForNode>()) {
    nest.push_back(loop);
    inner = loop->body.get();
  }
  const Stmt body = tain::GetRef<Stmt>(inner);
  if (const auto* block = body.as<BlockRealizeNode>()) return LowerNest(nest, *block);
  Stmt lowered = body;
  if (const auto* seq = body.as<SeqStmtNode>()) {
    std::vector<Stmt> parts;
    for (const Stmt& one : seq->seq) parts.push_back(Lower(one));
    lowered = Sequence(parts);
  } else if (const auto* allocate = body.as<AllocateNode>()) {
    lowered = Stmt(tain::make_object<AllocateNode>(allocate->buffer, Lower(allocate->body)));
  } else if (const auto* attr = body.as<AttrStmtNode>()) {
    lowered = Stmt(tain::make_object<AttrStmtNode>(attr->node, attr->attr_key, attr->value,
                                                   Lower(attr->body)));
  } else if (const auto* let = body.as<LetStmtNode>()) {
    lowered = Stmt(tain::make_object<LetStmtNode>(let->var, let->value, Lower(let->body)));
  } else if (const auto* choice = body.as<IfThenElseNode>()) {
    tain::Optional<Stmt> other;
    if (choice->else_case.has_value()) other = Lower(*choice->else_case);
    lowered =
        Stmt(tain::make_object<IfThenElseNode>(choice->condition, Lower(choice->then_case), other));
  }
  for (auto loop = nest.rbegin(); loop != nest.rend(); ++loop) {
    lowered = Stmt(tain::make_object<ForNode>((*loop)->loop_var, (*loop)->min, (*loop)->extent,
                                              (*loop)->kind, lowered));
  }
  return lowered;
}

}  // namespace

Stmt LowerBlocks(const Stmt& s) { return Lower(s); }

}  // namespace tensorexpr
