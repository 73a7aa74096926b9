// SPDX-License-Identifier: Apache-2.0
// Tensors and operations; see tensor.h.
#include "tensor.h"

#include <tain/graph/visit.h>

#include <algorithm>
#include <unordered_set>

#include "script/script.h"

namespace tensorexpr {
namespace {

using tain::arg;
using tain::reflection::ObjectDef;
using Shape = tain::Array<ExprArg>;
using Attrs = tain::Map<tain::String, tain::Any>;

void AddOnce(const Tensor& tensor, std::vector<Tensor>* all) {
  for (const Tensor& one : *all) {
    if (one->op.same_as(tensor->op) && one->value_index == tensor->value_index) return;
  }
  all->push_back(tensor);
}

Exprs Extents(const std::string& name, const Shape& shape) {
  Exprs extents;
  for (const ExprArg& one : shape) {
    if (!IsInteger(one.expr->dtype)) {
      TAIN_THROW(TypeError) << name << ": an extent of the shape is " << Text(one.expr->dtype)
                            << "; expected an integer";
    }
    if (const std::optional<int64_t> n = AsInt(one.expr); n && *n < 0) {
      TAIN_THROW(ValueError) << name << ": an extent of the shape is " << *n;
    }
    extents.push_back(one.expr);
  }
  return extents;
}

Tensor Placeholder(const Shape& shape, DType dtype, const tain::String& name) {
  if (!IsNumber(dtype) || dtype.lanes != 1) {
    TAIN_THROW(TypeError) << "placeholder: expected a type of numbers, got " << Text(dtype);
  }
  const Exprs extents = Extents(std::string(name), shape);
  return OutputOf(Operation(tain::make_object<PlaceholderOpNode>(name, extents, dtype)));
}

/// Throws if an expression below a body is a reduction.
void CheckBody(const ComputeOpNode& op) {
  const bool reduces = op.reduction() != nullptr;
  for (const PrimExpr& body : op.body) {
    const auto* reduce = body.as<ReduceNode>();
    if ((reduce != nullptr) != reduces) {
      TAIN_THROW(ValueError) << std::string(op.name)
                             << ": either all results are reductions, or none is";
    }
    if (!IsNumber(body->dtype) || body->dtype.lanes != 1) {
      TAIN_THROW(TypeError) << std::string(op.name) << ": an element is " << Text(body->dtype)
                            << "; expected a number";
    }
    tain::PreOrderVisit(body, [&](const tain::Any& node) {
      if (node.as<ReduceNode>() != nullptr && node.as<ReduceNode>() != reduce) {
        TAIN_THROW(ValueError) << std::string(op.name) << ": a reduction stands inside of another "
                               << "expression; compute it in a tensor of its own first";
      }
      return node.as<DataProducerNode>() == nullptr;
    });
  }
}

/// Several results come from one reduction: the same combiner, axes and sources.
void CheckOneReduction(const ComputeOpNode& op) {
  const auto are_same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.same_as(y); });
  };
  const ReduceNode* first = op.reduction();
  for (const PrimExpr& one : op.body) {
    const auto* other = one.as<ReduceNode>();
    if (first == nullptr || other == nullptr || other == first) continue;
    if (first->combiner.same_as(other->combiner) && are_same(first->axis, other->axis) &&
        are_same(first->source, other->source) && are_same(first->init, other->init))
      continue;
    TAIN_THROW(ValueError) << std::string(op.name)
                           << ": the results are of different reductions; compute each by itself";
  }
}

tain::Array<Tensor> Compute(const tain::String& name, const tain::String& tag, const Attrs& attrs,
                            const tain::Array<IterVar>& axis, const tain::Array<ExprArg>& body) {
  Exprs bodies;
  for (const ExprArg& one : body) bodies.push_back(one.expr);
  if (bodies.empty()) TAIN_THROW(ValueError) << std::string(name) << ": no result";
  auto op = tain::make_object<ComputeOpNode>(name, tag, attrs, axis, bodies);
  CheckBody(*op);
  CheckOneReduction(*op);
  for (const IterVar& one : axis) {
    const std::optional<int64_t> extent = AsInt((*one->dom)->extent);
    if (extent && *extent < 0) {
      TAIN_THROW(ValueError) << std::string(name) << ": the extent " << *extent << " of "
                             << std::string(one->var->name) << " is negative";
    }
  }
  const Operation made{op};
  tain::Array<Tensor> all;
  for (size_t i = 0; i < bodies.size(); ++i) all.push_back(OutputOf(made, i));
  return all;
}

tain::Array<Tensor> Extern(const tain::String& name, const tain::String& tag, const Attrs& attrs,
                           const tain::Array<Tensor>& inputs, const tain::Array<Buffer>& ins,
                           const tain::Array<Buffer>& outs, const Stmt& body) {
  if (inputs.size() != ins.size()) {
    TAIN_THROW(ValueError) << std::string(name) << ": " << inputs.size() << " inputs, but "
                           << ins.size() << " buffers for them";
  }
  if (outs.empty()) TAIN_THROW(ValueError) << std::string(name) << ": no result";
  const Operation made(tain::make_object<ExternOpNode>(name, tag, attrs, inputs, ins, outs, body));
  tain::Array<Tensor> all;
  for (size_t i = 0; i < outs.size(); ++i) all.push_back(OutputOf(made, i));
  return all;
}

tain::Array<Tensor> InputsOf(const Operation& op) {
  tain::Array<Tensor> all;
  for (const Tensor& one : op->Inputs()) all.push_back(one);
  return all;
}

Tensor CheckedOutput(const Operation& op, int64_t index) {
  const auto n = static_cast<int64_t>(op->NumOutputs());
  if (index < 0 || index >= n) {
    TAIN_THROW(IndexError) << std::string(op->name) << " has " << n << " results, got the index "
                           << index;
  }
  return OutputOf(op, static_cast<size_t>(index));
}

}  // namespace

std::string TensorNode::Name() const {
  const std::string name{op->name};
  return op->NumOutputs() == 1 ? name : name + "_v" + std::to_string(value_index);
}

PrimExpr TensorNode::AsExpr() const {
  if (!shape.empty()) {
    TAIN_THROW(TypeError) << "the tensor " << Name() << " has " << shape.size()
                          << " dimensions: it is no expression; index it, as in " << Name()
                          << "[i]";
  }
  return PrimExpr(tain::make_object<ProducerLoadNode>(tain::GetRef<DataProducer>(this), Exprs()));
}

Exprs ComputeOpNode::OutputShape(size_t) const {
  Exprs shape;
  for (const IterVar& one : axis) shape.push_back((*one->dom)->extent);
  return shape;
}

tain::Array<IterVar> ComputeOpNode::ReduceAxis() const {
  return reduction() == nullptr ? tain::Array<IterVar>() : reduction()->axis;
}

std::vector<Tensor> ComputeOpNode::Inputs() const {
  std::vector<Tensor> all;
  tain::PreOrderVisit(tain::Any(body), [&](const tain::Any& node) {
    if (const auto* tensor = node.as<TensorNode>()) AddOnce(tain::GetRef<Tensor>(tensor), &all);
    return node.as<DataProducerNode>() == nullptr;
  });
  return all;
}

std::vector<Tensor> ExternOpNode::Inputs() const {
  std::vector<Tensor> all;
  for (const Tensor& one : inputs) AddOnce(one, &all);
  return all;
}

Tensor OutputOf(const Operation& op, size_t i) {
  return Tensor(tain::make_object<TensorNode>(op, static_cast<int64_t>(i)));
}

std::vector<Operation> TopologicalOrder(const std::vector<Operation>& roots) {
  struct Open {
    Operation op;
    std::vector<Tensor> inputs;
    size_t next = 0;
  };
  std::vector<Operation> order;
  std::unordered_set<const OperationNode*> known;
  std::vector<Open> open;  // nesting needs no C stack
  for (const Operation& root : roots) {
    if (!known.insert(root.get()).second) continue;
    open.push_back({root, root->Inputs()});
    while (!open.empty()) {
      Open& top = open.back();
      if (top.next == top.inputs.size()) {
        order.push_back(top.op);
        open.pop_back();
      } else if (const Operation op = top.inputs[top.next++]->op; known.insert(op.get()).second) {
        open.push_back({op, op->Inputs()});
      }
    }
  }
  return order;
}

TAIN_REGISTER {
  ObjectDef<OperationNode>("What computes tensors.")
      .def_ro("name", &OperationNode::name)
      .def_ro("tag", &OperationNode::tag)
      .def_ro("attrs", &OperationNode::attrs)
      .def_property("input_tensors", &InputsOf, "The tensors that the operation reads.")
      .def_property(
          "num_outputs", [](const Operation& op) { return static_cast<int64_t>(op->NumOutputs()); },
          "How many tensors it computes.")
      .def("output", &CheckedOutput, arg("index"), "One of the tensors.");
  ObjectDef<PlaceholderOpNode>("A tensor that is given.")
      .def_ro("shape", &PlaceholderOpNode::shape)
      .def_ro("dtype", &PlaceholderOpNode::dtype)
      .def_init<tain::String, Exprs, DType>(arg("name"), arg("shape"), arg("dtype"));
  ObjectDef<ComputeOpNode>("Tensors whose elements are expressions of their indices.")
      .def_ro("axis", &ComputeOpNode::axis)
      .def_ro("body", &ComputeOpNode::body)
      .def_property("reduce_axis", &ComputeOpNode::ReduceAxis, "The axes of the reduction.")
      .def_init<tain::String, tain::String, Attrs, tain::Array<IterVar>, Exprs>(
          arg("name"), arg("tag"), arg("attrs"), arg("axis"), arg("body"));
  ObjectDef<ExternOpNode>("Tensors that a statement computes.")
      .def_ro("inputs", &ExternOpNode::inputs)
      .def_ro("input_placeholders", &ExternOpNode::input_placeholders)
      .def_ro("output_placeholders", &ExternOpNode::output_placeholders)
      .def_ro("body", &ExternOpNode::body)
      .def_init<tain::String, tain::String, Attrs, tain::Array<Tensor>, tain::Array<Buffer>,
                tain::Array<Buffer>, Stmt>(arg("name"), arg("tag"), arg("attrs"), arg("inputs"),
                                           arg("input_placeholders"), arg("output_placeholders"),
                                           arg("body"));
  ObjectDef<TensorNode>("One result of an operation.")
      .def_ro("op", &TensorNode::op)
      .def_ro("value_index", &TensorNode::value_index)
      .def_property("name", &TensorNode::Name,
                    "The name of the operation, and of the result if it "
                    "has several.")
      .def_property(
          "ndim", [](const Tensor& t) { return static_cast<int64_t>(t->shape.size()); },
          "The number of dimensions.")
      .def("__repr__",
           [](const Tensor& t) {
             return "Tensor(shape=" + ShapeScript(t->shape) + ", dtype=" + Text(t->dtype) +
                    ", op.name=" + std::string(t->op->name) + ")";
           })
      .def_static("__create__", &CheckedOutput, arg("op"), arg("value_index") = 0);
  tain::reflection::GlobalDef()
      .def("tensorexpr.te.placeholder", &Placeholder, arg("shape"), arg("dtype") = kFloat32,
           arg("name") = "placeholder", "A tensor that is given.")
      .def("tensorexpr.te._compute", &Compute, arg("name"), arg("tag"), arg("attrs"), arg("axis"),
           arg("body"), "The tensors of a ComputeOp.")
      .def("tensorexpr.te._extern", &Extern, arg("name"), arg("tag"), arg("attrs"), arg("inputs"),
           arg("ins"), arg("outs"), arg("body"), "The tensors of an ExternOp.");
}

}  // namespace tensorexpr
