// SPDX-License-Identifier: Apache-2.0
// The nodes of expressions. A node never changes after it is made, so expressions share their parts.
#pragma once

#include <string>
#include <utility>

#include "dtype.h"

namespace tensorexpr {

/// An expression with a value of one data type.
struct PrimExprNode : tain::Object {
  DType dtype;
  explicit PrimExprNode(DType its_type) noexcept : dtype(its_type) {}
  TAIN_OBJECT("tensorexpr.tir.PrimExpr", PrimExprNode, tain::Object);
  static constexpr int32_t _type_child_slots = 48;
};
using PrimExpr = tain::Ref<PrimExprNode>;
using Exprs = tain::Array<PrimExpr>;

// ---------------------------------------------------------------- leaves

/// A variable. Two variables are the same only if they are one object.
struct VarNode : PrimExprNode {
  tain::String name;
  VarNode(tain::String its_name, DType its_type)
      : PrimExprNode(its_type), name(std::move(its_name)) {}
  TAIN_OBJECT("tensorexpr.tir.Var", VarNode, PrimExprNode);
  static constexpr int32_t _type_child_slots = 1;
};
using Var = tain::Ref<VarNode>;

/// A variable that is never negative, such as an extent.
struct SizeVarNode : VarNode {
  using VarNode::VarNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.SizeVar", SizeVarNode, VarNode);
};

struct IntImmNode : PrimExprNode {
  int64_t value;
  IntImmNode(DType its_type, int64_t its_value) : PrimExprNode(its_type), value(its_value) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.IntImm", IntImmNode, PrimExprNode);
};

struct FloatImmNode : PrimExprNode {
  double value;
  FloatImmNode(DType its_type, double its_value) : PrimExprNode(its_type), value(its_value) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.FloatImm", FloatImmNode, PrimExprNode);
};

struct StringImmNode : PrimExprNode {
  tain::String value;
  explicit StringImmNode(tain::String its_value)
      : PrimExprNode(kHandle), value(std::move(its_value)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.StringImm", StringImmNode, PrimExprNode);
};

// ---------------------------------------------------------------- operators

struct CastNode : PrimExprNode {
  PrimExpr value;
  CastNode(DType its_type, PrimExpr its_value)
      : PrimExprNode(its_type), value(std::move(its_value)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Cast", CastNode, PrimExprNode);
};

/// A node with two operands.
struct BinaryNode : PrimExprNode {
  PrimExpr a, b;
  BinaryNode(DType its_type, PrimExpr its_a, PrimExpr its_b)
      : PrimExprNode(its_type), a(std::move(its_a)), b(std::move(its_b)) {}
  TAIN_OBJECT("tensorexpr.tir.BinaryOp", BinaryNode, PrimExprNode);
  static constexpr int32_t _type_child_slots = 20;
  static constexpr bool _type_child_slots_can_overflow = false;
};

/// Arithmetic: the value has the type of the operands.
struct ArithmeticNode : BinaryNode {
  ArithmeticNode(PrimExpr its_a, PrimExpr its_b)
      : BinaryNode(its_a->dtype, its_a, std::move(its_b)) {}
  TAIN_OBJECT("tensorexpr.tir.ArithmeticOp", ArithmeticNode, BinaryNode);
  static constexpr int32_t _type_child_slots = 9;
  static constexpr bool _type_child_slots_can_overflow = false;
};
/// A comparison: the value is a bool.
struct ComparisonNode : BinaryNode {
  ComparisonNode(PrimExpr its_a, PrimExpr its_b)
      : BinaryNode(WithLanes(kBool, its_a->dtype.lanes), its_a, std::move(its_b)) {}
  TAIN_OBJECT("tensorexpr.tir.CmpOp", ComparisonNode, BinaryNode);
  static constexpr int32_t _type_child_slots = 6;
  static constexpr bool _type_child_slots_can_overflow = false;
};
/// And, Or: operands and value are bools.
struct LogicNode : BinaryNode {
  LogicNode(PrimExpr its_a, PrimExpr its_b) : BinaryNode(its_a->dtype, its_a, std::move(its_b)) {}
  TAIN_OBJECT("tensorexpr.tir.LogicOp", LogicNode, BinaryNode);
  static constexpr int32_t _type_child_slots = 2;
  static constexpr bool _type_child_slots_can_overflow = false;
};

struct AddNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Add", AddNode, ArithmeticNode);
};
struct SubNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Sub", SubNode, ArithmeticNode);
};
struct MulNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Mul", MulNode, ArithmeticNode);
};
/// The quotient: of integers rounded towards zero.
struct DivNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Div", DivNode, ArithmeticNode);
};
/// The remainder that belongs to Div.
struct ModNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Mod", ModNode, ArithmeticNode);
};
/// The quotient, rounded down.
struct FloorDivNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.FloorDiv", FloorDivNode, ArithmeticNode);
};
/// The remainder that belongs to FloorDiv.
struct FloorModNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.FloorMod", FloorModNode, ArithmeticNode);
};
struct MinNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Min", MinNode, ArithmeticNode);
};
struct MaxNode : ArithmeticNode {
  using ArithmeticNode::ArithmeticNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Max", MaxNode, ArithmeticNode);
};

struct EQNode : ComparisonNode {
  using ComparisonNode::ComparisonNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.EQ", EQNode, ComparisonNode);
};
struct NENode : ComparisonNode {
  using ComparisonNode::ComparisonNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.NE", NENode, ComparisonNode);
};
struct LTNode : ComparisonNode {
  using ComparisonNode::ComparisonNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.LT", LTNode, ComparisonNode);
};
struct LENode : ComparisonNode {
  using ComparisonNode::ComparisonNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.LE", LENode, ComparisonNode);
};
struct GTNode : ComparisonNode {
  using ComparisonNode::ComparisonNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.GT", GTNode, ComparisonNode);
};
struct GENode : ComparisonNode {
  using ComparisonNode::ComparisonNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.GE", GENode, ComparisonNode);
};

struct AndNode : LogicNode {
  using LogicNode::LogicNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.And", AndNode, LogicNode);
};
struct OrNode : LogicNode {
  using LogicNode::LogicNode;
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Or", OrNode, LogicNode);
};
struct NotNode : PrimExprNode {
  PrimExpr a;
  explicit NotNode(PrimExpr its_a) : PrimExprNode(its_a->dtype), a(std::move(its_a)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Not", NotNode, PrimExprNode);
};

/// One of two values. Both are computed, so neither may fault.
struct SelectNode : PrimExprNode {
  PrimExpr condition, true_value, false_value;
  SelectNode(PrimExpr its_condition, PrimExpr if_true, PrimExpr if_false)
      : PrimExprNode(if_true->dtype),
        condition(std::move(its_condition)),
        true_value(if_true),
        false_value(std::move(if_false)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Select", SelectNode, PrimExprNode);
};

// ---------------------------------------------------------------- vectors, bindings, calls

/// The vector base, base + stride, base + 2 * stride ...
struct RampNode : PrimExprNode {
  PrimExpr base, stride;
  int64_t lanes;
  RampNode(PrimExpr its_base, PrimExpr its_stride, int64_t its_lanes)
      : PrimExprNode(WithLanes(its_base->dtype, static_cast<int>(its_lanes))),
        base(its_base),
        stride(std::move(its_stride)),
        lanes(its_lanes) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Ramp", RampNode, PrimExprNode);
};

/// A vector of equal elements.
struct BroadcastNode : PrimExprNode {
  PrimExpr value;
  int64_t lanes;
  BroadcastNode(PrimExpr its_value, int64_t its_lanes)
      : PrimExprNode(WithLanes(its_value->dtype, static_cast<int>(its_lanes))),
        value(its_value),
        lanes(its_lanes) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Broadcast", BroadcastNode, PrimExprNode);
};

/// The value of `body` where `var` is `value`.
struct LetNode : PrimExprNode {
  Var var;
  PrimExpr value, body;
  LetNode(Var its_var, PrimExpr its_value, PrimExpr its_body)
      : PrimExprNode(its_body->dtype),
        var(std::move(its_var)),
        value(std::move(its_value)),
        body(its_body) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Let", LetNode, PrimExprNode);
};

/// A call of an operation that has a name: `exp`, `call_packed` ...
struct CallNode : PrimExprNode {
  tain::String op;
  Exprs args;
  CallNode(DType its_type, tain::String its_op, Exprs its_args)
      : PrimExprNode(its_type), op(std::move(its_op)), args(std::move(its_args)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Call", CallNode, PrimExprNode);
};

// ---------------------------------------------------------------- ranges and axes

/// The integers from `min` on, `extent` many.
struct RangeNode : tain::Object {
  PrimExpr min, extent;
  RangeNode(PrimExpr its_min, PrimExpr its_extent)
      : min(std::move(its_min)), extent(std::move(its_extent)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Range", RangeNode, tain::Object);
};
using Range = tain::Ref<RangeNode>;

/// What is no expression itself, but stands for one where an expression is expected.
struct ExprConvertibleNode : tain::Object {
  virtual ~ExprConvertibleNode() = default;
  virtual PrimExpr AsExpr() const = 0;
  TAIN_OBJECT("tensorexpr.tir.ExprConvertible", ExprConvertibleNode, tain::Object);
};

/// How the values of an axis may be ordered.
enum class IterType : int32_t {
  kDataPar = 0,     ///< in any order, each by itself
  kCommReduce = 2,  ///< into one value, in any order
  kOrdered = 3,     ///< one after the other
  kUnrolled = 5,
  kVectorized = 6,
  kParallelized = 7,
};

/// A variable with the range of its values. Each is an object of its own, like variables.
struct IterVarNode : ExprConvertibleNode {
  tain::Optional<Range> dom;  ///< none until it is known
  Var var;
  IterType iter_type;
  tain::String thread_tag;
  IterVarNode(tain::Optional<Range> its_dom, Var its_var, IterType type, tain::String tag)
      : dom(std::move(its_dom)),
        var(std::move(its_var)),
        iter_type(type),
        thread_tag(std::move(tag)) {}
  PrimExpr AsExpr() const override { return var; }
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.IterVar", IterVarNode, ExprConvertibleNode);
};
using IterVar = tain::Ref<IterVarNode>;

/// How values are reduced: `result` combines `lhs` and `rhs`; `identity` changes nothing.
struct CommReducerNode : tain::Object {
  tain::Array<Var> lhs, rhs;
  Exprs result, identity;
  CommReducerNode(tain::Array<Var> its_lhs, tain::Array<Var> its_rhs, Exprs its_result,
                  Exprs its_identity)
      : lhs(std::move(its_lhs)),
        rhs(std::move(its_rhs)),
        result(std::move(its_result)),
        identity(std::move(its_identity)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.CommReducer", CommReducerNode, tain::Object);
};
using CommReducer = tain::Ref<CommReducerNode>;

/// The reduction of `source` over `axis`, where `condition` holds; one of several values.
struct ReduceNode : PrimExprNode {
  CommReducer combiner;
  Exprs source;
  Exprs init;  ///< what the reduction starts with in place of the identity; empty for that
  tain::Array<IterVar> axis;
  PrimExpr condition;
  int64_t value_index;
  ReduceNode(CommReducer its_combiner, Exprs its_source, Exprs its_init,
             tain::Array<IterVar> its_axis, PrimExpr its_condition, int64_t index)
      : PrimExprNode(its_source[static_cast<size_t>(index)]->dtype),
        combiner(std::move(its_combiner)),
        source(std::move(its_source)),
        init(std::move(its_init)),
        axis(std::move(its_axis)),
        condition(std::move(its_condition)),
        value_index(index) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Reduce", ReduceNode, PrimExprNode);
};
using Reduce = tain::Ref<ReduceNode>;

}  // namespace tensorexpr
