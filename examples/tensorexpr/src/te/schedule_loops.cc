// SPDX-License-Identifier: Apache-2.0
// How the loops of a stage give its axes their values; see schedule.h.
#include "arith/analyzer.h"
#include "te/schedule.h"

namespace tensorexpr {

StageLoops LoopsOf(const StageNode& stage,
                   const std::unordered_map<const VarNode*, PrimExpr>& root_extents) {
  StageLoops loops;
  loops.extents = root_extents;
  const Analyzer facts;
  const auto check = [&](const PrimExpr& a, const PrimExpr& b, const IterVar& axis) {
    const std::optional<int64_t> x = AsInt(a), y = AsInt(b);
    if (!x || !y || *x <= 0 || *y <= MaxOf(axis->var->dtype) / *x) return;
    TAIN_THROW(OverflowError) << "the extents " << *x << " and " << *y << " of the axis "
                              << std::string(axis->var->name) << " of stage " << stage.Name()
                              << " are too large for " << Text(axis->var->dtype)
                              << "; give extents of int64";
  };
  // Rounded up; no part of it is more than the extent.
  const auto divided = [&](const PrimExpr& extent, const PrimExpr& by) {
    const PrimExpr one = IntConst(1, extent->dtype);
    return facts.Simplify(Add(FloorDiv(Sub(extent, one), by), one));
  };
  for (const IterRelation& relation : stage.relations) {
    if (const auto* split = relation.as<SplitNode>()) {
      const PrimExpr extent = loops.extents.at(split->parent->var.get());
      const PrimExpr by = split->factor.has_value() ? *split->factor : *split->nparts;
      const PrimExpr parts = divided(extent, by);
      check(by, parts, split->parent);
      loops.extents.insert_or_assign(split->outer->var.get(),
                                     split->factor.has_value() ? parts : by);
      loops.extents.insert_or_assign(split->inner->var.get(),
                                     split->factor.has_value() ? by : parts);
    } else if (const auto* fuse = relation.as<FuseNode>()) {
      check(loops.extents.at(fuse->outer->var.get()), loops.extents.at(fuse->inner->var.get()),
            fuse->fused);
      loops.extents.insert_or_assign(fuse->fused->var.get(),
                                     facts.Simplify(Mul(loops.extents.at(fuse->outer->var.get()),
                                                        loops.extents.at(fuse->inner->var.get()))));
    }
  }
  for (const IterVar& leaf : stage.leaf_iter_vars)
    loops.values.insert_or_assign(leaf->var.get(), leaf->var);
  for (size_t i = stage.relations.size(); i-- > 0;) {
    if (const auto* split = stage.relations[i].as<SplitNode>()) {
      const VarNode* parent = split->parent->var.get();
      const PrimExpr inner_extent = loops.extents.at(split->inner->var.get());
      const PrimExpr value = Add(Mul(loops.values.at(split->outer->var.get()), inner_extent),
                                 loops.values.at(split->inner->var.get()));
      loops.values.insert_or_assign(parent, value);
      const PrimExpr whole = Mul(inner_extent, loops.extents.at(split->outer->var.get()));
      const PrimExpr extent = loops.extents.at(parent);
      if (!facts.Proves(EQ(whole, extent))) loops.conditions.push_back(LT(value, extent));
    } else if (const auto* fuse = stage.relations[i].as<FuseNode>()) {
      const PrimExpr value = loops.values.at(fuse->fused->var.get());
      const PrimExpr by = loops.extents.at(fuse->inner->var.get());
      loops.values.insert_or_assign(fuse->outer->var.get(), FloorDiv(value, by));
      loops.values.insert_or_assign(fuse->inner->var.get(), FloorMod(value, by));
    }
  }
  return loops;
}

}  // namespace tensorexpr
