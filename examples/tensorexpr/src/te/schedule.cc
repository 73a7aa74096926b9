// SPDX-License-Identifier: Apache-2.0
// What a schedule can do with stages and axes; see schedule.h.
#include "schedule.h"

#include <algorithm>
#include <unordered_set>

#include "tir/substitute.h"

namespace tensorexpr {
namespace {

using tain::arg;
using tain::reflection::ObjectDef;

std::string NameOf(const IterVar& axis) { return std::string(axis->var->name); }

IterVar NewAxis(const std::string& name, IterType type, DType dtype) {
  const Var var(tain::make_object<VarNode>(tain::String(name), dtype));
  return IterVar(tain::make_object<IterVarNode>(tain::Optional<Range>(), var, type, ""));
}

bool Contains(const tain::Array<IterVar>& all, const IterVar& axis) {
  return std::any_of(all.begin(), all.end(), [&](const IterVar& one) { return one.same_as(axis); });
}

tain::Array<IterVar> Replaced(const tain::Array<IterVar>& all, size_t at, size_t count,
                              const std::vector<IterVar>& with) {
  tain::Array<IterVar> result;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == at) {
      for (const IterVar& one : with) result.push_back(one);
    }
    if (i < at || i >= at + count) result.push_back(all[i]);
  }
  return result;
}

const ComputeOpNode& ComputeOf(const StageNode& stage, const char* action) {
  const auto* compute = tain::ObjectRef(stage.op).as<ComputeOpNode>();
  if (compute == nullptr) {
    TAIN_THROW(ValueError) << action << ": the stage " << stage.Name() << " computes no expression"
                           << (tain::ObjectRef(stage.op).as<PlaceholderOpNode>() != nullptr
                                   ? ": it is a placeholder"
                                   : "");
  }
  return *compute;
}

PrimExpr Positive(const ExprArg& e, const char* what, const StageNode& stage, const IterVar& axis) {
  const std::optional<int64_t> value = AsInt(e.expr);
  if (!IsInteger(e.expr->dtype) || (value && *value < 1)) {
    TAIN_THROW(ValueError) << "split: the " << what << " of " << NameOf(axis) << " of stage "
                           << stage.Name() << " must be a positive integer";
  }
  if (value && *value > MaxOf(axis->var->dtype)) {
    TAIN_THROW(OverflowError) << "split: the " << what << " of " << NameOf(axis) << " of stage "
                              << stage.Name() << " is no value of " << Text(axis->var->dtype)
                              << ", the type of the axis";
  }
  return CastTo(e.expr, axis->var->dtype);
}

}  // namespace

// ---------------------------------------------------------------- stages

void StageNode::Reset() {
  tain::Array<IterVar> axes;
  if (const auto* compute = tain::ObjectRef(op).as<ComputeOpNode>()) {
    for (const IterVar& one : compute->axis) axes.push_back(one);
    for (const IterVar& one : compute->ReduceAxis()) axes.push_back(one);
  }
  all_iter_vars = leaf_iter_vars = axes;
  relations = {};
  loop_kinds = {};
}

size_t StageNode::PositionOf(const IterVar& axis, const char* action) const {
  for (size_t i = 0; i < leaf_iter_vars.size(); ++i) {
    if (leaf_iter_vars[i].same_as(axis)) return i;
  }
  std::string leaves;
  for (const IterVar& one : leaf_iter_vars) leaves += (leaves.empty() ? "" : ", ") + NameOf(one);
  TAIN_THROW(ValueError) << action << ": " << NameOf(axis) << " is no axis of stage " << Name()
                         << (Contains(all_iter_vars, axis) ? " any more: it was split or fused"
                                                           : "")
                         << "; its axes are " << (leaves.empty() ? "none" : leaves);
}

tain::Tuple<IterVar, IterVar> StageNode::Split(const IterVar& parent,
                                               const tain::Optional<ExprArg>& factor,
                                               const tain::Optional<ExprArg>& nparts) {
  const size_t at = PositionOf(parent, "split");
  if (factor.has_value() == nparts.has_value()) {
    TAIN_THROW(ValueError) << "split: give either the factor or nparts for " << NameOf(parent)
                           << " of stage " << Name();
  }
  tain::Optional<PrimExpr> by, parts;
  if (factor.has_value()) by = Positive(*factor, "factor", *this, parent);
  if (nparts.has_value()) parts = Positive(*nparts, "nparts", *this, parent);
  const DType dtype = parent->var->dtype;
  const IterVar outer = NewAxis(NameOf(parent) + "_outer", parent->iter_type, dtype);
  const IterVar inner = NewAxis(NameOf(parent) + "_inner", parent->iter_type, dtype);
  relations.push_back(IterRelation(tain::make_object<SplitNode>(parent, outer, inner, by, parts)));
  leaf_iter_vars = Replaced(leaf_iter_vars, at, 1, {outer, inner});
  all_iter_vars.push_back(outer);
  all_iter_vars.push_back(inner);
  return {outer, inner};
}

IterVar StageNode::Fuse(const tain::Array<IterVar>& axes) {
  if (axes.empty()) TAIN_THROW(ValueError) << "fuse: no axes of stage " << Name();
  const size_t at = PositionOf(axes[0], "fuse");
  for (size_t i = 1; i < axes.size(); ++i) {  // nothing changes unless all of them fit
    const IterVar outer = axes[i - 1], inner = axes[i];
    if (PositionOf(inner, "fuse") != at + i) {
      TAIN_THROW(ValueError) << "fuse: the axis " << NameOf(inner) << " of stage " << Name()
                             << " does not follow " << NameOf(outer) << "; reorder them first";
    }
    if (outer->iter_type != inner->iter_type) {
      TAIN_THROW(ValueError) << "fuse: one of " << NameOf(outer) << " and " << NameOf(inner)
                             << " of stage " << Name()
                             << " belongs to the reduction, the other does not";
    }
  }
  IterVar fused = axes[0];
  for (size_t i = 1; i < axes.size(); ++i) {
    const IterVar outer = fused, inner = axes[i];
    fused = NewAxis(NameOf(outer) + "_" + NameOf(inner) + "_fused", outer->iter_type,
                    outer->var->dtype);
    relations.push_back(IterRelation(tain::make_object<FuseNode>(outer, inner, fused)));
    leaf_iter_vars = Replaced(leaf_iter_vars, at, 2, {fused});
    all_iter_vars.push_back(fused);
  }
  return fused;
}

void StageNode::Reorder(const tain::Array<IterVar>& axes) {
  std::vector<size_t> places;
  for (const IterVar& axis : axes) places.push_back(PositionOf(axis, "reorder"));
  std::vector<size_t> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] != sorted[i - 1]) continue;
    TAIN_THROW(ValueError) << "reorder: " << NameOf(leaf_iter_vars[sorted[i]]) << " of stage "
                           << Name() << " is named twice";
  }
  std::vector<IterVar> leaves(leaf_iter_vars.begin(), leaf_iter_vars.end());
  for (size_t i = 0; i < places.size(); ++i) leaves[sorted[i]] = axes[i];
  // The result of a reduction of several values may depend on which comes first, such as an argmax.
  const auto* compute = tain::ObjectRef(op).as<ComputeOpNode>();
  if (compute != nullptr && compute->body.size() > 1 && compute->reduction() != nullptr) {
    size_t next = 0;
    for (const IterVar& one : leaves) {
      if (one->iter_type != IterType::kCommReduce) continue;
      while (leaf_iter_vars[next]->iter_type != IterType::kCommReduce) ++next;
      if (!leaf_iter_vars[next++].same_as(one)) {
        TAIN_THROW(ValueError) << "reorder: the reduction of stage " << Name()
                               << " has several values, so its result may depend on the order of "
                               << "the axis " << NameOf(one);
      }
    }
  }
  leaf_iter_vars = {};
  for (const IterVar& one : leaves) leaf_iter_vars.push_back(one);
}

void StageNode::SetKind(const IterVar& axis, ForKind kind) {
  const char* action = kind == ForKind::kParallel     ? "parallel"
                       : kind == ForKind::kVectorized ? "vectorize"
                                                      : "unroll";
  PositionOf(axis, action);
  if (kind != ForKind::kUnrolled && axis->iter_type == IterType::kCommReduce) {
    TAIN_THROW(ValueError)
        << action << ": " << NameOf(axis) << " of stage " << Name()
        << " belongs to a reduction, whose steps change one value; use rfactor first";
  }
  loop_kinds.Set(axis, kind);
}

void StageNode::ComputeAt(const Stage& parent, const IterVar& axis) {
  ComputeOf(*this, "compute_at");
  parent->PositionOf(axis, "compute_at");
  if (is_output) {
    TAIN_THROW(ValueError) << "compute_at: the stage " << Name()
                           << " is a result; only what others read can be "
                           << "computed in their loops";
  }
  if (parent.get() == this) {
    TAIN_THROW(ValueError) << "compute_at: the stage " << Name()
                           << " cannot be computed in its own loops";
  }
  attach_type = AttachType::kScope;
  attach_stage = parent;
  attach_ivar = axis;
}

// ---------------------------------------------------------------- schedules

ScheduleNode::ScheduleNode(const tain::Array<Operation>& ops) : outputs(ops) {
  std::vector<Operation> roots(ops.begin(), ops.end());
  for (const Operation& op : TopologicalOrder(roots)) {
    const Stage stage(tain::make_object<StageNode>(op));
    stages.push_back(stage);
    stage_map.Set(op, stage);
  }
  for (const Operation& op : ops) stage_map.at(op)->is_output = true;
}

Stage ScheduleNode::StageOf(const Operation& op) const {
  const auto found = stage_map.find(op);
  if (found == stage_map.end()) {
    TAIN_THROW(ValueError) << "the schedule has no stage for " << std::string(op->name);
  }
  return (*found).second;
}

namespace {

/// Puts a new stage before another.
void Insert(ScheduleNode* s, const Stage& made, const Stage& before) {
  tain::Array<Stage> all;
  for (const Stage& one : s->stages) {
    if (one.same_as(before)) all.push_back(made);
    all.push_back(one);
  }
  s->stages = all;
  s->stage_map.Set(made->op, made);
}

std::vector<IterVar> FreshAxes(const tain::Array<IterVar>& axes, const std::string& end,
                               VarMap* vars) {
  std::vector<IterVar> all;
  for (const IterVar& one : axes) {
    const Var var(tain::make_object<VarNode>(tain::String(NameOf(one) + end), one->var->dtype));
    vars->emplace(one->var.get(), var);
    all.push_back(IterVar(tain::make_object<IterVarNode>(one->dom, var, one->iter_type, "")));
  }
  return all;
}

Exprs Vars(const std::vector<IterVar>& axes) {
  Exprs all;
  for (const IterVar& one : axes) all.push_back(one->var);
  return all;
}

tain::Array<IterVar> ArrayOf(const std::vector<IterVar>& axes) {
  tain::Array<IterVar> all;
  for (const IterVar& one : axes) all.push_back(one);
  return all;
}

PrimExpr Load(const Tensor& tensor, const Exprs& indices) {
  return PrimExpr(
      tain::make_object<ProducerLoadNode>(tain::Downcast<DataProducer>(tensor), indices));
}

void CheckUnscheduled(const StageNode& stage, const char* action) {
  const bool is_in_order = std::equal(
      stage.leaf_iter_vars.begin(), stage.leaf_iter_vars.end(), stage.all_iter_vars.begin(),
      stage.all_iter_vars.end(), [](const IterVar& a, const IterVar& b) { return a.same_as(b); });
  if (is_in_order && stage.loop_kinds.empty() && stage.attach_type == AttachType::kGroupRoot)
    return;
  TAIN_THROW(ValueError)
      << action << ": the stage " << stage.Name()
      << " has been scheduled already, which would be lost; call it before split, fuse, reorder, "
         "compute_at, parallel, vectorize and unroll";
}

}  // namespace

Tensor ScheduleNode::CacheWrite(const Tensor& tensor, const tain::String& scope) {
  const Stage stage = StageOf(tensor->op);
  const ComputeOpNode& op = ComputeOf(*stage, "cache_write");
  CheckUnscheduled(*stage, "cache_write");
  VarMap vars;
  const std::vector<IterVar> axes = FreshAxes(op.axis, "_c", &vars);
  Exprs body;
  for (const PrimExpr& one : op.body) body.push_back(Substitute(one, vars));
  const Operation cache(tain::make_object<ComputeOpNode>(
      tain::String(std::string(op.name) + "_" + std::string(scope)), op.tag, op.attrs,
      ArrayOf(axes), body));
  Exprs copies;
  const std::vector<IterVar> own(op.axis.begin(), op.axis.end());
  for (size_t i = 0; i < body.size(); ++i) copies.push_back(Load(OutputOf(cache, i), Vars(own)));
  const Operation copy(
      tain::make_object<ComputeOpNode>(op.name, op.tag, op.attrs, op.axis, copies));
  const Stage made(tain::make_object<StageNode>(cache));
  made->scope = scope;
  stage->op = copy;
  stage->Reset();
  stage_map.Set(copy, stage);
  Insert(this, made, stage);
  return OutputOf(cache, static_cast<size_t>(tensor->value_index));
}

Tensor ScheduleNode::CacheRead(const Tensor& tensor, const tain::String& scope,
                               const tain::Array<Operation>& readers) {
  const Stage source = StageOf(tensor->op);
  if (readers.empty()) TAIN_THROW(ValueError) << "cache_read: no readers of " << tensor->Name();
  std::vector<IterVar> axes;
  for (size_t i = 0; i < tensor->shape.size(); ++i) {
    const PrimExpr& extent = tensor->shape[i];
    const Var var(
        tain::make_object<VarNode>(tain::String("ax" + std::to_string(i)), extent->dtype));
    const Range dom(tain::make_object<RangeNode>(IntConst(0, extent->dtype), extent));
    axes.push_back(IterVar(tain::make_object<IterVarNode>(dom, var, IterType::kDataPar, "")));
  }
  Exprs body;
  body.push_back(Load(tensor, Vars(axes)));
  const Operation cache(tain::make_object<ComputeOpNode>(
      tain::String(tensor->Name() + "_" + std::string(scope)), tain::String(""),
      tain::Map<tain::String, tain::Any>(), ArrayOf(axes), body));
  const Tensor result = OutputOf(cache);
  std::optional<Stage> first;
  std::vector<std::pair<Stage, Operation>> changed;
  for (const Operation& reader : readers) {
    const Stage stage = StageOf(reader);
    const ComputeOpNode& op = ComputeOf(*stage, "cache_read");
    bool reads = false;
    Exprs bodies;
    for (const PrimExpr& one : op.body) {
      bodies.push_back(Substitute(one, {}, [&](const ProducerLoadNode& load) {
        const auto* read = tain::ObjectRef(load.producer).as<TensorNode>();
        const bool is_it =
            read->value_index == tensor->value_index && StageOf(read->op).same_as(source);
        reads = reads || is_it;
        return is_it ? Load(result, load.indices) : PrimExpr(tain::GetRef<PrimExpr>(&load));
      }));
    }
    if (!reads) {
      TAIN_THROW(ValueError) << "cache_read: the stage " << stage->Name() << " does not read "
                             << tensor->Name();
    }
    changed.emplace_back(stage, Operation(tain::make_object<ComputeOpNode>(
                                    op.name, op.tag, op.attrs, op.axis, bodies)));
  }
  for (const auto& [stage, op] : changed) {
    stage->op = op;  // the axes are the same
    stage_map.Set(op, stage);
  }
  for (const Stage& one : stages) {
    for (const auto& [stage, op] : changed) {
      if (!first && one.same_as(stage)) first = one;
    }
  }
  const Stage made(tain::make_object<StageNode>(cache));
  made->scope = scope;
  Insert(this, made, *first);
  return result;
}

Tensor ScheduleNode::RFactor(const Tensor& tensor, const IterVar& axis, int64_t factor_axis) {
  const Stage stage = StageOf(tensor->op);
  const ComputeOpNode& op = ComputeOf(*stage, "rfactor");
  stage->PositionOf(axis, "rfactor");
  const auto rank = static_cast<int64_t>(op.axis.size());
  const int64_t place = factor_axis < 0 ? factor_axis + rank + 1 : factor_axis;
  if (place < 0 || place > rank) {
    TAIN_THROW(ValueError) << "rfactor: the partial results of stage " << stage->Name() << " have "
                           << rank + 1 << " dimensions, so factor_axis cannot be " << factor_axis;
  }
  if (axis->iter_type != IterType::kCommReduce) {
    TAIN_THROW(ValueError) << "rfactor: " << NameOf(axis) << " of stage " << stage->Name()
                           << " is no axis of a reduction";
  }
  if (op.body.size() > 1) {
    TAIN_THROW(ValueError) << "rfactor: the reduction of stage " << stage->Name()
                           << " has several values, so its result may depend on the order";
  }
  bool is_spatial = !stage->loop_kinds.empty() || stage->attach_type != AttachType::kGroupRoot;
  size_t next = 0;
  for (const IterVar& leaf : stage->leaf_iter_vars) {
    if (leaf->iter_type == IterType::kCommReduce) continue;
    is_spatial = is_spatial || next == op.axis.size() || !leaf.same_as(IterVar(op.axis[next]));
    ++next;
  }
  if (is_spatial) {
    TAIN_THROW(ValueError)
        << "rfactor: the axes of stage " << stage->Name()
        << " that belong to no reduction have been scheduled already, which would "
           "be lost; call it before";
  }
  const ReduceNode& reduce = *op.reduction();
  if (!reduce.init.empty()) {
    TAIN_THROW(ValueError) << "rfactor: the reduction of stage " << stage->Name()
                           << " starts with a value of its own";
  }
  std::unordered_map<const VarNode*, PrimExpr> extents;
  for (const IterVar& one : op.axis) extents.emplace(one->var.get(), (*one->dom)->extent);
  for (const IterVar& one : reduce.axis) extents.emplace(one->var.get(), (*one->dom)->extent);
  const StageLoops loops = LoopsOf(*stage, extents);
  // The leaves of the reduction become axes: the chosen one of the tensor, the others of its reduction.
  VarMap leaves;
  const auto axis_of = [&](const IterVar& leaf, IterType type) {
    const Var var(tain::make_object<VarNode>(leaf->var->name, leaf->var->dtype));
    leaves.emplace(leaf->var.get(), var);
    const Range dom(
        tain::make_object<RangeNode>(IntConst(0, var->dtype), loops.extents.at(leaf->var.get())));
    return IterVar(tain::make_object<IterVarNode>(dom, var, type, ""));
  };
  VarMap vars;
  std::vector<IterVar> axes = FreshAxes(op.axis, "_rf", &vars);
  const IterVar factor = axis_of(axis, IterType::kDataPar);
  axes.insert(axes.begin() + place, factor);
  tain::Array<IterVar> reduced;
  for (const IterVar& leaf : stage->leaf_iter_vars) {
    if (leaf->iter_type == IterType::kCommReduce && !leaf.same_as(axis)) {
      reduced.push_back(axis_of(leaf, IterType::kCommReduce));
    }
  }
  PrimExpr condition = reduce.condition;
  for (const IterVar& one : reduce.axis) {
    const PrimExpr value = Substitute(loops.values.at(one->var.get()), leaves);
    vars.emplace(one->var.get(), Add((*one->dom)->min, value));
  }
  condition = Substitute(condition, vars);
  for (const PrimExpr& one : loops.conditions) {
    const bool is_spatial = UsesVar(one, [&](const VarNode* var) {
      return std::any_of(
          stage->leaf_iter_vars.begin(), stage->leaf_iter_vars.end(),
          [&](const IterVar& leaf) { return leaf->var.get() == var && leaves.count(var) == 0; });
    });
    if (!is_spatial) condition = And(Substitute(one, leaves), condition);
  }
  Exprs source;
  source.push_back(Substitute(reduce.source[0], vars));
  PrimExpr partial = source[0];
  if (reduced.empty()) {
    partial = Select(condition, source[0], reduce.combiner->identity[0]);
  } else {
    partial = PrimExpr(tain::make_object<ReduceNode>(reduce.combiner, source, Exprs(), reduced,
                                                     condition, int64_t{0}));
  }
  Exprs body;
  body.push_back(partial);
  const Operation factored(tain::make_object<ComputeOpNode>(
      tain::String(std::string(op.name) + "_rf"), op.tag, op.attrs, ArrayOf(axes), body));
  const Var again(tain::make_object<VarNode>(axis->var->name, axis->var->dtype));
  const IterVar over(tain::make_object<IterVarNode>(factor->dom, again, IterType::kCommReduce, ""));
  std::vector<IterVar> read(op.axis.begin(), op.axis.end());
  read.insert(read.begin() + place, over);
  const Exprs indices = Vars(read);
  Exprs rest, last;
  rest.push_back(Load(OutputOf(factored), indices));
  last.push_back(PrimExpr(tain::make_object<ReduceNode>(
      reduce.combiner, rest, Exprs(), tain::Array<IterVar>{over}, True(), int64_t{0})));
  const Operation made(tain::make_object<ComputeOpNode>(op.name, op.tag, op.attrs, op.axis, last));
  const Stage before(tain::make_object<StageNode>(factored));
  stage->op = made;
  stage->Reset();
  stage_map.Set(made, stage);
  Insert(this, before, stage);
  return OutputOf(factored);
}

TAIN_REGISTER {
  tain::reflection::EnumDef<AttachType>("tensorexpr.te.AttachType",
                                        "Where the loops of a stage stand.")
      .value("GroupRoot", AttachType::kGroupRoot)
      .value("Inline", AttachType::kInline)
      .value("Scope", AttachType::kScope);
  ObjectDef<IterRelationNode>("What made axes of other axes.");
  ObjectDef<SplitNode>("parent = outer * (extent of inner) + inner.")
      .def_ro("parent", &SplitNode::parent)
      .def_ro("outer", &SplitNode::outer)
      .def_ro("inner", &SplitNode::inner)
      .def_ro("factor", &SplitNode::factor)
      .def_ro("nparts", &SplitNode::nparts);
  ObjectDef<FuseNode>("fused = outer * (extent of inner) + inner.")
      .def_ro("outer", &FuseNode::outer)
      .def_ro("inner", &FuseNode::inner)
      .def_ro("fused", &FuseNode::fused);
  ObjectDef<StageNode>("How one operation is computed.", tain::transient())
      .def_ro("op", &StageNode::op)
      .def_ro("origin_op", &StageNode::origin_op)
      .def_ro("all_iter_vars", &StageNode::all_iter_vars)
      .def_ro("leaf_iter_vars", &StageNode::leaf_iter_vars)
      .def_ro("relations", &StageNode::relations)
      .def_ro("loop_kinds", &StageNode::loop_kinds, "The axes whose loops are not serial.")
      .def_ro("attach_type", &StageNode::attach_type)
      .def_ro("attach_ivar", &StageNode::attach_ivar)
      .def_ro("attach_stage", &StageNode::attach_stage)
      .def_ro("scope", &StageNode::scope)
      .def_ro("is_output", &StageNode::is_output)
      .def("split", &StageNode::Split, arg("parent"), arg("factor") = nullptr,
           arg("nparts") = nullptr,
           "Splits an axis in two: the inner one has the extent `factor`, or the outer one "
           "`nparts`.")
      .def("_fuse", &StageNode::Fuse, arg("axes"))
      .def("_reorder", &StageNode::Reorder, arg("axes"))
      .def(
          "parallel",
          [](const Stage& s, const IterVar& axis) { s->SetKind(axis, ForKind::kParallel); },
          arg("axis"), "Runs the steps of the axis on several threads.")
      .def(
          "vectorize",
          [](const Stage& s, const IterVar& axis) { s->SetKind(axis, ForKind::kVectorized); },
          arg("axis"), "Runs the steps of the axis at once, as a vector.")
      .def(
          "unroll",
          [](const Stage& s, const IterVar& axis) { s->SetKind(axis, ForKind::kUnrolled); },
          arg("axis"), "Writes the steps of the axis one after the other.")
      .def("_compute_at", &StageNode::ComputeAt, arg("parent"), arg("axis"))
      .def(
          "compute_inline",
          [](const Stage& s) {
            if (ComputeOf(*s, "compute_inline").reduction() != nullptr) {
              TAIN_THROW(ValueError)
                  << "compute_inline: the stage " << s->Name() << " is a reduction";
            }
            if (s->is_output) {
              TAIN_THROW(ValueError) << "compute_inline: the stage " << s->Name() << " is a result";
            }
            s->attach_type = AttachType::kInline;
          },
          "Computes the elements where they are used.")
      .def(
          "compute_root",
          [](const Stage& s) {
            s->attach_type = AttachType::kGroupRoot;
            s->attach_stage = {};
            s->attach_ivar = {};
          },
          "Computes the whole tensor before it is used.")
      .def(
          "set_scope", [](const Stage& s, const tain::String& scope) { s->scope = scope; },
          arg("scope"), "Sets the kind of memory that the tensor has.")
      .def(
          "bind",
          [](const Stage& s, const IterVar& axis, const tain::Any&) {
            TAIN_THROW(ValueError)
                << "bind: no code for GPUs is made, so " << NameOf(axis) << " of stage "
                << s->Name() << " has no threads to be bound to; use parallel";
          },
          arg("axis"), arg("thread"), "Not possible: no code for GPUs is made.");
  ObjectDef<ScheduleNode>("How tensors are computed.", tain::transient())
      .def_ro("outputs", &ScheduleNode::outputs)
      .def_ro("stages", &ScheduleNode::stages)
      .def_ro("stage_map", &ScheduleNode::stage_map)
      .def("_stage", &ScheduleNode::StageOf, arg("op"))
      .def("_cache_write", &ScheduleNode::CacheWrite, arg("tensor"), arg("scope"))
      .def("_cache_read", &ScheduleNode::CacheRead, arg("tensor"), arg("scope"), arg("readers"))
      .def("rfactor", &ScheduleNode::RFactor, arg("tensor"), arg("axis"), arg("factor_axis") = 0,
           "Makes an axis of a reduction an axis of a tensor of partial results, which it returns: "
           "its "
           "dimension `factor_axis` (counted from the end if it is negative).");
  tain::reflection::GlobalDef()
      .def(
          "tensorexpr.te._create_schedule",
          [](const tain::Array<Operation>& ops) {
            return Schedule(tain::make_object<ScheduleNode>(ops));
          },
          arg("ops"), "The schedule of some operations and of all that they need.")
      .def("tensorexpr.te._lower_schedule", &LowerSchedule, arg("schedule"), arg("args"),
           "The program of a schedule.");
}

}  // namespace tensorexpr
