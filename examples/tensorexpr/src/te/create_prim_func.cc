// SPDX-License-Identifier: Apache-2.0
// A program of blocks from tensors, before any schedule: one block for each operation.
#include <tain/graph/visit.h>

#include <map>

#include "te/reduction.h"
#include "te/tensor.h"
#include "tir/same.h"
#include "tir/substitute.h"

namespace tensorexpr {
namespace {

class Programmer {
 public:
  explicit Programmer(const tain::Array<tain::Any>& args) {
    std::vector<Operation> roots;
    for (const tain::Any& arg : args) {
      if (const auto* tensor = arg.as<TensorNode>()) roots.push_back(tensor->op);
    }
    order_ = TopologicalOrder(roots);
    for (const Operation& op : order_)
      has_extern_ = has_extern_ || op.as<ExternOpNode>() != nullptr;
    for (const tain::Any& arg : args) AddParam(arg);
  }

  PrimFunc Make() {
    std::vector<Stmt> parts;
    for (const Operation& op : order_) {
      if (const auto* compute = op.as<ComputeOpNode>()) {
        parts.push_back(OfCompute(*compute, op));
      } else if (const auto* other = op.as<ExternOpNode>()) {
        parts.push_back(OfExtern(*other, op));
      } else if (buffers_.count({op.get(), 0}) == 0) {
        TAIN_THROW(ValueError) << "create_prim_func: the placeholder " << std::string(op->name)
                               << " is needed, but is no argument";
      }
    }
    if (parts.empty()) TAIN_THROW(ValueError) << "create_prim_func: nothing is computed";
    Stmt body = Sequence(parts);
    const auto* alone = body.as<BlockRealizeNode>();
    if (alone == nullptr || !allocated_.empty()) {
      const Block root(tain::make_object<BlockNode>(
          tain::Array<IterVar>(), tain::Array<BufferRegion>(), tain::Array<BufferRegion>(), "root",
          body, tain::Optional<Stmt>(), allocated_));
      body = Stmt(tain::make_object<BlockRealizeNode>(Exprs(), True(), root));
    }
    tain::Map<tain::String, tain::Any> attrs;
    attrs.Set("tir.noalias", true);
    return PrimFunc(tain::make_object<PrimFuncNode>(params_, map_, body, attrs));
  }

 private:
  using Key = std::pair<const OperationNode*, int64_t>;

  Buffer NewBuffer(const Exprs& shape, DType dtype, const std::string& name) const {
    const Buffer made = MakeBuffer(shape, dtype, name);
    if (!has_extern_) return made;  // a foreign function gets the offset, too
    const Var offset(tain::make_object<VarNode>(tain::String(name + "_elem_offset"), kInt32));
    return Buffer(tain::make_object<BufferNode>(made->data, dtype, shape, Exprs(), offset,
                                                tain::String(name), int64_t{64}, int64_t{1},
                                                "global"));
  }

  void AddParam(const tain::Any& arg) {
    if (const auto* var = arg.as<VarNode>()) {
      params_.push_back(tain::GetRef<Var>(var));
      return;
    }
    const auto* tensor = arg.as<TensorNode>();
    if (tensor == nullptr) {
      TAIN_THROW(TypeError) << "create_prim_func: expected tensors and variables as arguments";
    }
    const Key key{tensor->op.get(), tensor->value_index};
    if (buffers_.count(key) != 0) {
      TAIN_THROW(ValueError) << "create_prim_func: " << tensor->Name() << " is given twice";
    }
    const Buffer buffer = NewBuffer(tensor->shape, tensor->dtype, tensor->Name());
    const Var param(tain::make_object<VarNode>(tain::String("var_" + tensor->Name()), kHandle));
    params_.push_back(param);
    map_.Set(param, buffer);
    buffers_.emplace(key, buffer);
  }

  /// Returns the buffer of a tensor; one that is no argument gets memory in the program.
  Buffer BufferOf(const TensorNode& tensor) {
    const Key key{tensor.op.get(), tensor.value_index};
    if (const auto found = buffers_.find(key); found != buffers_.end()) return found->second;
    const Buffer made = NewBuffer(tensor.shape, tensor.dtype, tensor.Name());
    allocated_.push_back(made);
    buffers_.emplace(key, made);
    return made;
  }

  PrimExpr WithBuffers(const PrimExpr& e, const VarMap& vars) {
    return Substitute(e, vars, [this](const ProducerLoadNode& load) {
      const auto* tensor = tain::ObjectRef(load.producer).as<TensorNode>();
      return PrimExpr(tain::make_object<BufferLoadNode>(BufferOf(*tensor), load.indices));
    });
  }

  static bool IsSameRegion(const BufferRegionNode& a, const BufferRegionNode& b) {
    if (!a.buffer.same_as(b.buffer)) return false;
    for (size_t i = 0; i < a.region.size(); ++i) {
      if (!IsSame(a.region[i]->min, b.region[i]->min)) return false;
    }
    return true;
  }

  /// Returns the elements of other buffers that an expression reads, in their order.
  static void AddReads(const PrimExpr& e, const tain::Array<Buffer>& own,
                       tain::Array<BufferRegion>* all) {
    tain::PreOrderVisit(e, [&](const tain::Any& node) {
      const auto* load = node.as<BufferLoadNode>();
      if (load == nullptr) return;
      for (const Buffer& one : own) {
        if (one.same_as(load->buffer)) return;
      }
      tain::Array<Range> region;
      for (const PrimExpr& index : load->indices) {
        region.push_back(Range(tain::make_object<RangeNode>(index, IntConst(1, index->dtype))));
      }
      const BufferRegion read(tain::make_object<BufferRegionNode>(load->buffer, region));
      for (const BufferRegion& known : *all) {
        if (IsSameRegion(*known, *read)) return;
      }
      all->push_back(read);
    });
  }

  Stmt OfCompute(const ComputeOpNode& op, const Operation& self) {
    VarMap vars, around;
    std::vector<Loop> loops;
    tain::Array<IterVar> axes;
    Exprs values, indices;
    const auto add_axis = [&](const IterVar& axis) {
      const Var inner(tain::make_object<VarNode>("v_" + axis->var->name, axis->var->dtype));
      const PrimExpr min = (*axis->dom)->min, extent = (*axis->dom)->extent;
      const Range dom(
          tain::make_object<RangeNode>(WithBuffers(min, vars), WithBuffers(extent, vars)));
      axes.push_back(IterVar(tain::make_object<IterVarNode>(dom, inner, axis->iter_type, "")));
      const Var loop(tain::make_object<VarNode>(axis->var->name, axis->var->dtype));
      loops.push_back({loop, WithBuffers(min, around), WithBuffers(extent, around)});
      around.emplace(axis->var.get(), loop);
      values.push_back(loop);
      vars.emplace(axis->var.get(), inner);
      return inner;
    };
    for (const IterVar& axis : op.axis) indices.push_back(add_axis(axis));
    for (const IterVar& axis : op.ReduceAxis()) add_axis(axis);

    tain::Array<Buffer> results;
    tain::Array<BufferRegion> reads, writes;
    for (size_t i = 0; i < op.body.size(); ++i) results.push_back(BufferOf(*OutputOf(self, i)));
    for (const Buffer& result : results) {
      tain::Array<Range> region;
      for (const PrimExpr& index : indices) {
        region.push_back(Range(tain::make_object<RangeNode>(index, IntConst(1, index->dtype))));
      }
      writes.push_back(BufferRegion(tain::make_object<BufferRegionNode>(result, region)));
    }
    const auto read = [&](const PrimExpr& e) {
      const PrimExpr made = WithBuffers(e, vars);
      AddReads(made, results, &reads);
      return made;
    };
    tain::Optional<Stmt> init;
    std::vector<Stmt> update;
    if (op.reduction() != nullptr) {
      const ReductionSteps steps = MakeSteps(*op.reduction(), results, indices, read);
      init = steps.init;
      update.push_back(steps.update);
    } else {
      for (size_t i = 0; i < op.body.size(); ++i) {
        update.push_back(
            Stmt(tain::make_object<BufferStoreNode>(results[i], read(op.body[i]), indices)));
      }
    }
    const Block block(tain::make_object<BlockNode>(axes, reads, writes, op.name, Sequence(update),
                                                   init, tain::Array<Buffer>()));
    return Nest(loops, Stmt(tain::make_object<BlockRealizeNode>(values, True(), block)));
  }

  Stmt OfExtern(const ExternOpNode& op, const Operation& self) {
    std::vector<Buffer> ins, outs;
    for (const Tensor& one : op.inputs) ins.push_back(BufferOf(*one));
    for (size_t i = 0; i < op.NumOutputs(); ++i) outs.push_back(BufferOf(*OutputOf(self, i)));
    const Stmt body = ExternBody(op, ins, outs);
    const Block block(tain::make_object<BlockNode>(
        tain::Array<IterVar>(), tain::Array<BufferRegion>(), tain::Array<BufferRegion>(), op.name,
        body, tain::Optional<Stmt>(), tain::Array<Buffer>()));
    return Stmt(tain::make_object<BlockRealizeNode>(Exprs(), True(), block));
  }

  std::vector<Operation> order_;
  bool has_extern_ = false;
  std::map<Key, Buffer> buffers_;
  tain::Array<Var> params_;
  tain::Map<Var, Buffer> map_;
  tain::Array<Buffer> allocated_;
};

}  // namespace

TAIN_REGISTER {
  tain::reflection::GlobalDef().def(
      "tensorexpr.te.create_prim_func",
      [](const tain::Array<tain::Any>& args) { return Programmer(args).Make(); }, tain::arg("args"),
      "The program that computes tensors from others, as blocks. `args` are the tensors and "
      "variables "
      "that become its parameters.");
}

}  // namespace tensorexpr
