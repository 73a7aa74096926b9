// SPDX-License-Identifier: Apache-2.0
// From a schedule to loops: which part of each tensor is needed where, and the loops that compute it.
#include <tain/graph/visit.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "arith/analyzer.h"
#include "te/reduction.h"
#include "te/schedule.h"

namespace tensorexpr {
namespace {

using ExprMap = std::unordered_map<const VarNode*, PrimExpr>;

/// What lowering knows of a stage.
struct Work {
  Stage stage;
  Exprs body;                       ///< of a ComputeOp, after what is inlined
  std::optional<Reduce> reduction;  ///< the first result, if it is a reduction
  tain::Array<IterVar> axis, reduce_axis;
  std::vector<Range> region;    ///< of the tensor: what is computed at once
  tain::Array<Buffer> buffers;  ///< for each result
  bool is_param = false;
  StageLoops loops;
  std::vector<IterVar> nest;  ///< the leaves
  std::unordered_map<const VarNode*, ForKind> kinds;
};

class Lowerer {
 public:
  explicit Lowerer(const Schedule& s) : schedule_(s) {
    for (const Stage& stage : s->stages) {
      works_.push_back({stage, {}, {}, {}, {}, {}, {}, false, {}, {}, {}});
      index_.emplace(stage.get(), works_.size() - 1);
    }
  }

  PrimFunc Run(const tain::Array<tain::Any>& args) {
    Inline();
    CheckAttachments();
    for (size_t i = works_.size(); i-- > 0;) Bound(i);
    for (const tain::Any& arg : args) AddParam(arg);
    for (Work& work : works_) MakeBuffers(&work);
    std::vector<Stmt> parts;
    std::vector<Buffer> allocated;
    for (Work& work : works_) {
      if (!IsComputed(work) || work.stage->attach_type != AttachType::kGroupRoot) continue;
      parts.push_back(Produce(work));
      if (work.is_param) continue;
      for (const Buffer& one : work.buffers) allocated.push_back(one);
    }
    if (parts.empty()) TAIN_THROW(ValueError) << "lower: the schedule computes nothing";
    Stmt body = Sequence(parts);
    for (auto one = allocated.rbegin(); one != allocated.rend(); ++one) {
      body = Stmt(tain::make_object<AllocateNode>(*one, body));
    }
    for (const Work& work : works_) body = WithTests(work, body);
    tain::Map<tain::String, tain::Any> attrs;
    attrs.Set("tir.noalias", true);
    return PrimFunc(tain::make_object<PrimFuncNode>(params_, map_, body, attrs));
  }

 private:
  /// Tests what the factors of splits and the extents of fused axes have to be, where that is known only when
  /// the program runs.
  static Stmt WithTests(const Work& work, Stmt body) {
    const auto require = [&](const PrimExpr& test, const std::string& message) {
      if (IsConstInt(test, 1)) return;
      body = Stmt(tain::make_object<AssertStmtNode>(
          test, message + " of stage " + work.stage->Name(), body, "ValueError"));
    };
    for (const IterRelation& relation : work.stage->relations) {
      if (const auto* split = relation.as<SplitNode>()) {
        const PrimExpr by = split->factor.has_value() ? *split->factor : *split->nparts;
        require(GE(by, IntConst(1, by->dtype)), "split: expected a positive factor of the axis " +
                                                    std::string(split->parent->var->name));
      } else if (const auto* fuse = relation.as<FuseNode>();
                 fuse != nullptr && work.stage->attach_type == AttachType::kGroupRoot) {
        const PrimExpr outer = work.loops.extents.at(fuse->outer->var.get());
        const PrimExpr inner = work.loops.extents.at(fuse->inner->var.get());
        if (AsInt(outer) && AsInt(inner)) continue;  // tested already
        const DType dtype = fuse->fused->var->dtype;
        const PrimExpr most =
            FloorDiv(IntConst(MaxOf(dtype), dtype), Max(inner, IntConst(1, dtype)));
        require(LE(outer, most), "fuse: the extent of the axis " +
                                     std::string(fuse->fused->var->name) + " is too large for " +
                                     Text(dtype));
      }
    }
    return body;
  }
  static bool IsComputed(const Work& work) {
    return tain::ObjectRef(work.stage->op).as<PlaceholderOpNode>() == nullptr &&
           work.stage->attach_type != AttachType::kInline;
  }
  static const ExternOpNode* ExternOf(const Work& work) {
    return tain::ObjectRef(work.stage->op).as<ExternOpNode>();
  }
  Work& WorkOf(const Operation& op) { return works_[index_.at(schedule_->StageOf(op).get())]; }
  Work& WorkOf(const ProducerLoadNode& load) {
    return WorkOf(tain::ObjectRef(load.producer).as<TensorNode>()->op);
  }

  // ---------------------------------------------------------------- what is inlined

  void Inline() {
    for (Work& work : works_) {
      const auto* op = tain::ObjectRef(work.stage->op).as<ComputeOpNode>();
      if (op == nullptr) continue;
      work.axis = op->axis;
      work.reduce_axis = op->ReduceAxis();
      for (const PrimExpr& one : op->body) work.body.push_back(WithoutInlined(one));
      if (const auto* reduce = work.body[0].as<ReduceNode>())
        work.reduction = tain::GetRef<Reduce>(reduce);
      for (const IterVar& leaf : work.stage->leaf_iter_vars) work.nest.push_back(leaf);
      for (const auto& [axis, kind] : work.stage->loop_kinds) work.kinds[axis->var.get()] = kind;
    }
  }

  PrimExpr WithoutInlined(const PrimExpr& e) {
    return Substitute(e, {}, [this](const ProducerLoadNode& load) {
      const Work& work = WorkOf(load);
      if (work.stage->attach_type != AttachType::kInline)
        return PrimExpr(tain::GetRef<PrimExpr>(&load));
      VarMap vars;
      for (size_t i = 0; i < work.axis.size(); ++i)
        vars.emplace(work.axis[i]->var.get(), load.indices[i]);
      const auto* tensor = tain::ObjectRef(load.producer).as<TensorNode>();
      return Substitute(work.body[static_cast<size_t>(tensor->value_index)], vars);
    });
  }

  // ---------------------------------------------------------------- where stages stand

  /// The loops around a stage, innermost first: each a stage and the position of one of its leaves.
  std::vector<std::pair<Work*, size_t>> Around(const Work& work) {
    std::vector<std::pair<Work*, size_t>> all;
    const StageNode* stage = work.stage.get();
    while (stage->attach_type == AttachType::kScope) {
      const Stage parent = *stage->attach_stage;
      const auto found = index_.find(parent.get());
      if (found == index_.end()) {
        TAIN_THROW(ValueError) << "lower: the stage " << work.stage->Name()
                               << " is computed in a loop of " << parent->Name()
                               << ", which is no stage of this schedule";
      }
      all.emplace_back(&works_[found->second],
                       parent->PositionOf(*stage->attach_ivar, "compute_at"));
      if (all.size() > works_.size()) {
        TAIN_THROW(ValueError) << "lower: the stages " << work.stage->Name() << " and "
                               << parent->Name() << " are computed in loops of each other";
      }
      stage = parent.get();
    }
    return all;
  }

  void CheckAttachments() {
    for (Work& work : works_) {
      const std::vector<std::pair<Work*, size_t>> around = Around(work);
      if (around.empty()) continue;
      Work* parent = around[0].first;
      if (parent->stage->attach_type == AttachType::kInline) {
        TAIN_THROW(ValueError) << "lower: the stage " << work.stage->Name()
                               << " is computed in a loop of " << parent->stage->Name()
                               << ", which is inlined and has no loops";
      }
      bool is_read = false;
      for (Work& reader : works_) {
        if (!IsComputed(reader) || !Reads(reader, work)) continue;
        const bool is_inside = &reader == parent || StandsIn(reader, *parent, around[0].second);
        if (!is_inside) {
          TAIN_THROW(ValueError) << "lower: the stage " << work.stage->Name()
                                 << " is computed in the loop "
                                 << std::string((*work.stage->attach_ivar)->var->name) << " of "
                                 << parent->stage->Name() << ", but " << reader.stage->Name()
                                 << " reads it outside of that loop";
        }
        is_read = true;
      }
      if (!is_read) {
        TAIN_THROW(ValueError) << "lower: the stage " << work.stage->Name()
                               << " is computed in a loop of " << parent->stage->Name()
                               << ", but nothing there reads it";
      }
    }
  }

  bool StandsIn(const Work& work, const Work& parent, size_t position) {
    for (const auto& [stage, at] : Around(work)) {
      if (stage == &parent) return at >= position;
    }
    return false;
  }

  std::vector<const ProducerLoadNode*> LoadsIn(const Work& reader) {
    std::vector<const ProducerLoadNode*> all;
    tain::PreOrderVisit(tain::Any(reader.body), [&](const tain::Any& node) {
      if (const auto* load = node.as<ProducerLoadNode>()) all.push_back(load);
      return node.as<DataProducerNode>() == nullptr;
    });
    return all;
  }
  bool Reads(const Work& reader, const Work& work) {
    if (const ExternOpNode* op = ExternOf(reader)) {
      return std::any_of(op->inputs.begin(), op->inputs.end(),
                         [&](const Tensor& one) { return &WorkOf(one->op) == &work; });
    }
    const std::vector<const ProducerLoadNode*> loads = LoadsIn(reader);
    return std::any_of(loads.begin(), loads.end(),
                       [&](const ProducerLoadNode* load) { return &WorkOf(*load) == &work; });
  }

  // ---------------------------------------------------------------- bounds

  /// Finds the region of a stage; the stages that read it have theirs already.
  void Bound(size_t i) {
    Work& work = works_[i];
    if (work.stage->attach_type == AttachType::kInline) return;
    const Exprs shape = work.stage->op->OutputShape(0);
    for (const PrimExpr& extent : shape) work.region.push_back(Full(extent));
    if (!IsComputed(work) || ExternOf(work) != nullptr) {
      if (work.stage->attach_type == AttachType::kScope) {
        TAIN_THROW(ValueError) << "lower: the stage " << work.stage->Name()
                               << " has no loops, so it cannot be "
                               << "computed in one";
      }
      return;
    }
    if (work.stage->attach_type == AttachType::kScope) Narrow(&work, shape);
    ExprMap extents;
    for (size_t k = 0; k < work.axis.size(); ++k)
      extents.emplace(work.axis[k]->var.get(), work.region[k]->extent);
    for (const IterVar& axis : work.reduce_axis)
      extents.emplace(axis->var.get(), (*axis->dom)->extent);
    work.loops = LoopsOf(*work.stage, extents);
    for (const IterVar& leaf : work.nest) {
      const PrimExpr& extent = work.loops.extents.at(leaf->var.get());
      facts_.Bind(leaf->var, IntConst(0, extent->dtype), extent);
    }
  }

  static Range Full(const PrimExpr& extent) {
    return Range(tain::make_object<RangeNode>(IntConst(0, extent->dtype), extent));
  }

  /// The value of an axis of the operation, as the loops give it.
  static PrimExpr AxisValue(const Work& work, size_t k) {
    return Add(work.region[k]->min, work.loops.values.at(work.axis[k]->var.get()));
  }
  static ExprMap AxisValues(const Work& work) {
    ExprMap vars;
    for (size_t k = 0; k < work.axis.size(); ++k)
      vars.emplace(work.axis[k]->var.get(), AxisValue(work, k));
    for (const IterVar& axis : work.reduce_axis) {
      vars.emplace(axis->var.get(), Add((*axis->dom)->min, work.loops.values.at(axis->var.get())));
    }
    return vars;
  }

  static bool ReadsTensor(const PrimExpr& e) {
    bool reads = false;
    tain::PreOrderVisit(e, [&](const tain::Any& node) {
      reads = reads || node.as<ProducerLoadNode>() != nullptr;
      return !reads;
    });
    return reads;
  }

  /// Makes the region what the readers need in one step of the loop in which the stage stands.
  void Narrow(Work* work, const Exprs& shape) {
    std::unordered_set<const VarNode*> fixed;  // the loops around
    for (const auto& [stage, at] : Around(*work)) {
      for (size_t k = 0; k <= at; ++k) fixed.insert(stage->nest[k]->var.get());
    }
    Analyzer::Ranges moving;
    for (const Work& other : works_) {
      for (const IterVar& leaf : other.nest) {
        const auto extent = other.loops.extents.find(leaf->var.get());
        if (extent == other.loops.extents.end() || fixed.count(leaf->var.get()) != 0) continue;
        const PrimExpr zero = IntConst(0, leaf->var->dtype);
        const PrimExpr last = Sub(extent->second, IntConst(1, extent->second->dtype));
        moving.emplace(leaf->var.get(), Analyzer::Interval{zero, CastTo(last, zero->dtype)});
      }
    }
    std::vector<std::optional<Analyzer::Interval>> needed(shape.size());
    std::vector<bool> is_all(shape.size(), false);
    for (Work& reader : works_) {
      if (!IsComputed(reader) || !Reads(reader, *work)) continue;
      if (ExternOf(reader) != nullptr) is_all.assign(shape.size(), true);
      const ExprMap values = ExternOf(reader) != nullptr ? ExprMap() : AxisValues(reader);
      for (const ProducerLoadNode* load : LoadsIn(reader)) {
        if (&WorkOf(*load) != work) continue;
        if (load->indices.size() != shape.size()) {
          TAIN_THROW(IndexError) << work->stage->Name() << " has " << shape.size()
                                 << " dimensions, got " << load->indices.size() << " indices";
        }
        for (size_t k = 0; k < shape.size(); ++k) {
          const PrimExpr index = facts_.Simplify(Substitute(load->indices[k], values));
          std::optional<Analyzer::Interval> one = facts_.Relax(index, moving);
          if (ReadsTensor(index)) one.reset();  // known only when the program runs
          const auto still_moves = [&](const VarNode* var) { return moving.count(var) != 0; };
          if (!one || UsesVar(one->min, still_moves) || UsesVar(one->max, still_moves)) {
            is_all[k] = true;
          } else if (!needed[k]) {
            needed[k] = one;
          } else {
            needed[k] =
                Analyzer::Interval{Min(needed[k]->min, one->min), Max(needed[k]->max, one->max)};
          }
        }
      }
    }
    for (size_t k = 0; k < shape.size(); ++k) {
      if (is_all[k] || !needed[k]) continue;
      const DType dtype = shape[k]->dtype;
      const PrimExpr min = facts_.Simplify(CastTo(needed[k]->min, dtype));
      const PrimExpr max = CastTo(needed[k]->max, dtype);
      const PrimExpr extent = facts_.Simplify(Add(Sub(max, min), IntConst(1, dtype)));
      // A part that is not smaller than the whole is the whole.
      const std::optional<int64_t> part = AsInt(extent), whole = AsInt(shape[k]);
      if (part && whole && *part >= *whole) continue;
      work->region[k] = Range(tain::make_object<RangeNode>(min, extent));
    }
  }

  // ---------------------------------------------------------------- buffers

  void AddParam(const tain::Any& arg) {
    if (const auto* var = arg.as<VarNode>()) return params_.push_back(tain::GetRef<Var>(var));
    const auto* tensor = arg.as<TensorNode>();
    if (tensor == nullptr)
      TAIN_THROW(TypeError) << "lower: expected tensors and variables as arguments";
    if (schedule_->stage_map.find(tensor->op) == schedule_->stage_map.end())
      return AddUnused(*tensor);
    Work& work = WorkOf(tensor->op);
    const bool is_placeholder = tain::ObjectRef(work.stage->op).as<PlaceholderOpNode>() != nullptr;
    if (!is_placeholder && work.stage->attach_type == AttachType::kInline) {
      TAIN_THROW(ValueError)
          << "lower: the argument " << tensor->Name()
          << " is inlined, so nothing writes it; leave it out of the arguments, or use "
             "compute_root";
    }
    while (work.buffers.size() < tensor->op->NumOutputs()) {
      const Tensor one = OutputOf(work.stage->op, work.buffers.size());
      work.buffers.push_back(MakeBuffer(one->shape, one->dtype, one->Name()));
    }
    work.is_param = true;
    const Buffer buffer = work.buffers[static_cast<size_t>(tensor->value_index)];
    const Var param(tain::make_object<VarNode>(tain::String("var_" + tensor->Name()), kHandle));
    params_.push_back(param);
    map_.Set(param, buffer);
  }

  /// A placeholder that nothing reads is an argument all the same.
  void AddUnused(const TensorNode& tensor) {
    if (tain::ObjectRef(tensor.op).as<PlaceholderOpNode>() == nullptr) {
      TAIN_THROW(ValueError) << "lower: the argument " << tensor.Name()
                             << " is not computed by the schedule; "
                             << "give its operation to create_schedule, too";
    }
    const Var param(tain::make_object<VarNode>(tain::String("var_" + tensor.Name()), kHandle));
    params_.push_back(param);
    map_.Set(param, MakeBuffer(tensor.shape, tensor.dtype, tensor.Name()));
  }

  void MakeBuffers(Work* work) {
    if (work->stage->attach_type == AttachType::kInline) return;
    const size_t n = work->stage->op->NumOutputs();
    if (work->is_param) {
      size_t given = 0;
      for (const auto& [param, buffer] : map_) {
        for (const Buffer& one : work->buffers) given += one.same_as(buffer) ? 1 : 0;
      }
      if (given != n) {
        TAIN_THROW(ValueError) << "lower: the stage " << work->stage->Name() << " has " << n
                               << " results, of which " << given << " are arguments";
      }
      return;
    }
    if (tain::ObjectRef(work->stage->op).as<PlaceholderOpNode>() != nullptr) {
      TAIN_THROW(ValueError) << "lower: the placeholder " << work->stage->Name()
                             << " is needed, but is no argument";
    }
    Exprs shape;
    for (const Range& range : work->region) shape.push_back(range->extent);
    for (size_t i = 0; i < n; ++i) {
      const Tensor one = OutputOf(work->stage->op, i);
      work->buffers.push_back(
          MakeBuffer(shape, one->dtype, one->Name(), std::string(work->stage->scope)));
    }
  }

  PrimExpr WithBuffers(const PrimExpr& e, const ExprMap& vars) {
    const PrimExpr made = Substitute(e, vars, [this](const ProducerLoadNode& load) {
      const Work& work = WorkOf(load);
      const auto* tensor = tain::ObjectRef(load.producer).as<TensorNode>();
      Exprs indices;
      for (size_t k = 0; k < load.indices.size(); ++k) {
        indices.push_back(work.is_param ? load.indices[k]
                                        : Sub(load.indices[k], work.region[k]->min));
      }
      return PrimExpr(tain::make_object<BufferLoadNode>(
          work.buffers[static_cast<size_t>(tensor->value_index)], indices));
    });
    return made;
  }

  // ---------------------------------------------------------------- loops

  /// A condition, and the number of loops around the place where it is tested.
  struct Condition {
    PrimExpr test;
    size_t depth;
    bool is_spatial;  ///< of axes that do not belong to the reduction
  };

  std::vector<Condition> Conditions(const Work& work) {
    std::vector<PrimExpr> tests = work.loops.conditions;
    for (size_t k = 0; k < work.axis.size(); ++k) {
      if (work.stage->attach_type != AttachType::kScope) break;
      const PrimExpr value = AxisValue(work, k), extent = work.stage->op->OutputShape(0)[k];
      tests.push_back(LE(IntConst(0, value->dtype), value));
      tests.push_back(LT(value, extent));
    }
    std::vector<Condition> all;
    for (const PrimExpr& one : tests) {
      const PrimExpr test = facts_.Simplify(one);
      if (IsConstInt(test, 1)) continue;
      Condition made{test, 0, true};
      for (size_t k = 0; k < work.nest.size(); ++k) {
        if (!UsesVar(test, [&](const VarNode* var) { return var == work.nest[k]->var.get(); }))
          continue;
        made.depth = k + 1;
        made.is_spatial = made.is_spatial && work.nest[k]->iter_type != IterType::kCommReduce;
      }
      all.push_back(made);
    }
    return all;
  }

  Stmt Produce(Work& work) {
    if (const ExternOpNode* op = ExternOf(work)) return OfExtern(*op, work);
    const std::vector<Condition> conditions = Conditions(work);
    const ExprMap values = AxisValues(work);
    Exprs indices;
    for (size_t k = 0; k < work.axis.size(); ++k) {
      const PrimExpr at = work.is_param || work.stage->attach_type != AttachType::kScope
                              ? AxisValue(work, k)
                              : work.loops.values.at(work.axis[k]->var.get());
      indices.push_back(facts_.Simplify(at));
    }
    const auto convert = [&](const PrimExpr& e) { return WithBuffers(e, values); };
    if (!work.reduction) {
      std::vector<Stmt> stores;
      for (size_t i = 0; i < work.body.size(); ++i) {
        stores.push_back(Stmt(
            tain::make_object<BufferStoreNode>(work.buffers[i], convert(work.body[i]), indices)));
      }
      return Wrapped(work, 0, work.nest.size(), conditions, Sequence(stores));
    }
    const ReductionSteps steps = MakeSteps(**work.reduction, work.buffers, indices, convert);
    size_t first = 0;  // the first loop of the reduction
    while (first < work.nest.size() && work.nest[first]->iter_type != IterType::kCommReduce)
      ++first;
    const Stmt update = Wrapped(work, first, work.nest.size(), conditions, steps.update);
    return Wrapped(work, 0, first, conditions,
                   Sequence({Start(work, first, conditions, steps.init), update}));
  }

  /// The loops that write what a reduction starts with.
  Stmt Start(const Work& work, size_t first, const std::vector<Condition>& conditions, Stmt init) {
    VarMap fresh;
    std::vector<Loop> loops;
    for (size_t k = first; k < work.nest.size(); ++k) {
      if (work.nest[k]->iter_type == IterType::kCommReduce) continue;
      const Var& var = work.nest[k]->var;
      const Var made(
          tain::make_object<VarNode>(tain::String(std::string(var->name) + "_init"), var->dtype));
      fresh.emplace(var.get(), made);
      const PrimExpr& extent = work.loops.extents.at(var.get());
      facts_.Bind(made, IntConst(0, extent->dtype), extent);
      loops.push_back(
          {made, IntConst(0, var->dtype), CastTo(extent, var->dtype), KindOf(work, var)});
    }
    for (const Condition& one : conditions) {
      if (one.is_spatial && one.depth > first) init = Guarded(one.test, init);
    }
    return Nest(loops, Substitute(init, fresh));
  }

  static ForKind KindOf(const Work& work, const Var& var) {
    const auto found = work.kinds.find(var.get());
    return found == work.kinds.end() ? ForKind::kSerial : found->second;
  }

  /// Surrounds a statement with the loops from `begin` to `end`, and in each with what is computed there.
  Stmt Wrapped(Work& work, size_t begin, size_t end, const std::vector<Condition>& conditions,
               Stmt body) {
    for (size_t k = end; k-- > begin;) {
      body = WithAttached(work, k, body);
      for (const Condition& one : conditions) {
        if (one.depth == k + 1) body = Guarded(one.test, body);
      }
      const Var& var = work.nest[k]->var;
      const PrimExpr extent =
          WithBuffers(CastTo(work.loops.extents.at(var.get()), var->dtype), AxisValues(work));
      body = Nest({{var, IntConst(0, var->dtype), extent, KindOf(work, var)}}, body);
    }
    if (begin != 0) return body;
    for (const Condition& one : conditions) {
      if (one.depth == 0) body = Guarded(one.test, body);
    }
    return body;
  }

  Stmt WithAttached(Work& parent, size_t k, const Stmt& body) {
    std::vector<Stmt> parts;
    std::vector<Buffer> allocated;
    for (Work& work : works_) {
      if (work.stage->attach_type != AttachType::kScope) continue;
      if (!(*work.stage->attach_stage).same_as(parent.stage)) continue;
      if (!(*work.stage->attach_ivar).same_as(parent.nest[k])) continue;
      parts.push_back(Produce(work));
      if (work.is_param) continue;
      for (const Buffer& one : work.buffers) allocated.push_back(one);
    }
    if (parts.empty()) return body;
    parts.push_back(body);
    Stmt all = Sequence(parts);
    for (const Buffer& one : allocated) all = Stmt(tain::make_object<AllocateNode>(one, all));
    return all;
  }

  Stmt OfExtern(const ExternOpNode& op, const Work& work) {
    std::vector<Buffer> ins;
    for (const Tensor& one : op.inputs) {
      ins.push_back(WorkOf(one->op).buffers[static_cast<size_t>(one->value_index)]);
    }
    return ExternBody(op, ins, {work.buffers.begin(), work.buffers.end()});
  }

  Schedule schedule_;
  std::vector<Work> works_;
  std::unordered_map<const StageNode*, size_t> index_;
  Analyzer facts_;
  tain::Array<Var> params_;
  tain::Map<Var, Buffer> map_;
};

}  // namespace

PrimFunc LowerSchedule(const Schedule& s, const tain::Array<tain::Any>& args) {
  return Lowerer(s).Run(args);
}

}  // namespace tensorexpr
