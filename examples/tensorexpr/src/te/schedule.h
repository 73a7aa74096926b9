// SPDX-License-Identifier: Apache-2.0
// The order in which tensors are computed: a stage for each operation, and how its loops are arranged.
#pragma once

#include <tain/container/tuple.h>

#include <unordered_map>

#include "te/tensor.h"

namespace tensorexpr {

/// What made axes of other axes.
struct IterRelationNode : tain::Object {
  TAIN_OBJECT("tensorexpr.te.IterVarRelation", IterRelationNode, tain::Object);
};
using IterRelation = tain::Ref<IterRelationNode>;

/// parent = outer * (extent of inner) + inner.
struct SplitNode : IterRelationNode {
  IterVar parent, outer, inner;
  tain::Optional<PrimExpr> factor, nparts;  ///< one of both: the extent of inner, or of outer
  SplitNode(IterVar its_parent, IterVar its_outer, IterVar its_inner,
            tain::Optional<PrimExpr> its_factor, tain::Optional<PrimExpr> parts)
      : parent(std::move(its_parent)),
        outer(std::move(its_outer)),
        inner(std::move(its_inner)),
        factor(std::move(its_factor)),
        nparts(std::move(parts)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.Split", SplitNode, IterRelationNode);
};

/// fused = outer * (extent of inner) + inner.
struct FuseNode : IterRelationNode {
  IterVar outer, inner, fused;
  FuseNode(IterVar its_outer, IterVar its_inner, IterVar its_fused)
      : outer(std::move(its_outer)), inner(std::move(its_inner)), fused(std::move(its_fused)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.Fuse", FuseNode, IterRelationNode);
};

/// Where the loops of a stage stand.
enum class AttachType : int32_t {
  kGroupRoot = 1,  ///< by themselves
  kInline = 2,     ///< nowhere: each use computes its element
  kScope = 4,      ///< in a loop of another stage
};

struct StageNode;
struct ScheduleNode;
using Stage = tain::Ref<StageNode>;
using Schedule = tain::Ref<ScheduleNode>;

struct StageNode : tain::Object {
  Operation op;         ///< what is computed now
  Operation origin_op;  ///< what was computed before the schedule changed it
  tain::Array<IterVar> all_iter_vars, leaf_iter_vars;
  tain::Array<IterRelation> relations;
  tain::Map<IterVar, ForKind> loop_kinds;  ///< of the axes whose loops are not serial
  AttachType attach_type = AttachType::kGroupRoot;
  tain::Optional<IterVar> attach_ivar;
  tain::Optional<Stage> attach_stage;
  tain::String scope = "global";
  bool is_output = false;

  explicit StageNode(Operation its_op) : op(its_op), origin_op(std::move(its_op)) { Reset(); }
  /// Makes the axes those of the operation.
  void Reset();
  std::string Name() const { return std::string(op->name); }
  /// The position of an axis among the leaves. Throws ValueError that names stage and axis.
  size_t PositionOf(const IterVar& axis, const char* action) const;

  tain::Tuple<IterVar, IterVar> Split(const IterVar& parent, const tain::Optional<ExprArg>& factor,
                                      const tain::Optional<ExprArg>& nparts);
  IterVar Fuse(const tain::Array<IterVar>& axes);
  void Reorder(const tain::Array<IterVar>& axes);
  void SetKind(const IterVar& axis, ForKind kind);
  void ComputeAt(const Stage& parent, const IterVar& axis);

  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.Stage", StageNode, tain::Object);
};

struct ScheduleNode : tain::Object {
  tain::Array<Operation> outputs;
  tain::Array<Stage> stages;              ///< inputs first
  tain::Map<Operation, Stage> stage_map;  ///< by the operations that are, and by those that were
  explicit ScheduleNode(const tain::Array<Operation>& ops);
  /// Throws ValueError if the operation is none of the schedule.
  Stage StageOf(const Operation& op) const;

  Tensor CacheWrite(const Tensor& tensor, const tain::String& scope);
  Tensor CacheRead(const Tensor& tensor, const tain::String& scope,
                   const tain::Array<Operation>& readers);
  Tensor RFactor(const Tensor& tensor, const IterVar& axis, int64_t factor_axis);

  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.Schedule", ScheduleNode, tain::Object);
};

/// How the loops of a stage give the axes of its operation their values.
struct StageLoops {
  std::unordered_map<const VarNode*, PrimExpr> values;   ///< of all axes, counted from 0
  std::unordered_map<const VarNode*, PrimExpr> extents;  ///< of all axes
  std::vector<PrimExpr> conditions;  ///< where a split does not divide: which values are real
};
/// Computes extents from those of the axes of the operation, and values from the variables of the leaves.
StageLoops LoopsOf(const StageNode& stage,
                   const std::unordered_map<const VarNode*, PrimExpr>& root_extents);

/// Returns the program of a schedule, without blocks. `args` are tensors and variables.
PrimFunc LowerSchedule(const Schedule& s, const tain::Array<tain::Any>& args);

}  // namespace tensorexpr
