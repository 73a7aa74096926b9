// SPDX-License-Identifier: Apache-2.0
// Tensors, and the operations that compute them.
#pragma once

#include <vector>

#include "tir/ops.h"
#include "tir/stmt.h"

namespace tensorexpr {

struct TensorNode;
using Tensor = tain::Ref<TensorNode>;

/// What computes one or several tensors. Each is an object of its own.
struct OperationNode : tain::Object {
  tain::String name;
  tain::String tag;
  tain::Map<tain::String, tain::Any> attrs;
  OperationNode(tain::String its_name, tain::String its_tag,
                tain::Map<tain::String, tain::Any> its_attrs)
      : name(std::move(its_name)), tag(std::move(its_tag)), attrs(std::move(its_attrs)) {}
  virtual ~OperationNode() = default;
  virtual size_t NumOutputs() const = 0;
  virtual DType OutputType(size_t i) const = 0;
  virtual Exprs OutputShape(size_t i) const = 0;
  /// The tensors that the operation reads, each once, in the order of their first use.
  virtual std::vector<Tensor> Inputs() const = 0;
  TAIN_OBJECT("tensorexpr.te.Operation", OperationNode, tain::Object);
};
using Operation = tain::Ref<OperationNode>;

/// One result of an operation.
struct TensorNode : DataProducerNode {
  Operation op;
  int64_t value_index;
  TensorNode(Operation its_op, int64_t index)
      : DataProducerNode(its_op->OutputType(static_cast<size_t>(index)),
                         its_op->OutputShape(static_cast<size_t>(index))),
        op(std::move(its_op)),
        value_index(index) {}
  std::string Name() const override;
  /// Only a tensor without dimensions stands for an expression; throws TypeError for others.
  PrimExpr AsExpr() const override;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.Tensor", TensorNode, DataProducerNode);
};

/// A tensor that is given.
struct PlaceholderOpNode : OperationNode {
  Exprs shape;
  DType dtype;
  PlaceholderOpNode(tain::String its_name, Exprs its_shape, DType its_type)
      : OperationNode(std::move(its_name), "", {}), shape(std::move(its_shape)), dtype(its_type) {}
  size_t NumOutputs() const override { return 1; }
  DType OutputType(size_t) const override { return dtype; }
  Exprs OutputShape(size_t) const override { return shape; }
  std::vector<Tensor> Inputs() const override { return {}; }
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.PlaceholderOp", PlaceholderOpNode, OperationNode);
};

/// Tensors whose elements are expressions of their indices.
struct ComputeOpNode : OperationNode {
  tain::Array<IterVar> axis;
  Exprs body;  ///< one for each result; all are Reduce of one reduction, or none is
  ComputeOpNode(tain::String its_name, tain::String its_tag,
                tain::Map<tain::String, tain::Any> its_attrs, tain::Array<IterVar> its_axis,
                Exprs its_body)
      : OperationNode(std::move(its_name), std::move(its_tag), std::move(its_attrs)),
        axis(std::move(its_axis)),
        body(std::move(its_body)) {}
  size_t NumOutputs() const override { return body.size(); }
  DType OutputType(size_t i) const override { return body[i]->dtype; }
  Exprs OutputShape(size_t i) const override;
  std::vector<Tensor> Inputs() const override;
  /// The reduction of the first result, or null. Borrowed.
  const ReduceNode* reduction() const { return body[0].as<ReduceNode>(); }
  tain::Array<IterVar> ReduceAxis() const;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.ComputeOp", ComputeOpNode, OperationNode);
};

/// Tensors that a statement computes.
struct ExternOpNode : OperationNode {
  tain::Array<Tensor> inputs;
  tain::Array<Buffer> input_placeholders, output_placeholders;
  Stmt body;
  ExternOpNode(tain::String its_name, tain::String its_tag,
               tain::Map<tain::String, tain::Any> its_attrs, tain::Array<Tensor> its_inputs,
               tain::Array<Buffer> ins, tain::Array<Buffer> outs, Stmt its_body)
      : OperationNode(std::move(its_name), std::move(its_tag), std::move(its_attrs)),
        inputs(std::move(its_inputs)),
        input_placeholders(std::move(ins)),
        output_placeholders(std::move(outs)),
        body(std::move(its_body)) {}
  size_t NumOutputs() const override { return output_placeholders.size(); }
  DType OutputType(size_t i) const override { return output_placeholders[i]->dtype; }
  Exprs OutputShape(size_t i) const override { return output_placeholders[i]->shape; }
  std::vector<Tensor> Inputs() const override;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.te.ExternOp", ExternOpNode, OperationNode);
};

Tensor OutputOf(const Operation& op, size_t i = 0);
/// Returns the operations that tensors need, inputs first.
std::vector<Operation> TopologicalOrder(const std::vector<Operation>& roots);

}  // namespace tensorexpr
