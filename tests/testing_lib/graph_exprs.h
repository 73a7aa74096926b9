// SPDX-License-Identifier: Apache-2.0
// A small language of expressions, for tests of functors, passes and rewrites.
#pragma once

#include <utility>

#include "tain/graph/functor.h"
#include "tain/tain.h"

namespace tain_testing::graph {

struct ExprNode : tain::Object {
  TAIN_OBJECT("testing.graph.Expr", ExprNode, tain::Object);
};
using Expr = tain::Ref<ExprNode>;

struct ConstantNode : ExprNode {
  double value;
  explicit ConstantNode(double value) : value(value) {}
  TAIN_OBJECT("testing.graph.Constant", ConstantNode, ExprNode);
};
using Constant = tain::Ref<ConstantNode>;

struct VarNode : ExprNode {
  tain::String name;
  explicit VarNode(tain::String name) : name(std::move(name)) {}
  TAIN_OBJECT("testing.graph.Var", VarNode, ExprNode);
};

/// Has two operands; no class of its own in the lists of functors.
struct BinaryNode : ExprNode {
  Expr lhs, rhs;
  BinaryNode(Expr lhs, Expr rhs) : lhs(std::move(lhs)), rhs(std::move(rhs)) {}
  TAIN_OBJECT("testing.graph.Binary", BinaryNode, ExprNode);
};
struct AddNode : BinaryNode {
  using BinaryNode::BinaryNode;
  TAIN_OBJECT("testing.graph.Add", AddNode, BinaryNode);
};
struct MulNode : BinaryNode {
  using BinaryNode::BinaryNode;
  TAIN_OBJECT("testing.graph.Mul", MulNode, BinaryNode);
};
/// Derives from Mul, and no functor lists it.
struct SquareNode : MulNode {
  explicit SquareNode(const Expr& x) : MulNode(x, x) {}
  TAIN_OBJECT("testing.graph.Square", SquareNode, MulNode);
};
/// A call with arguments in an Array and options in a Map.
struct CallNode : ExprNode {
  tain::String name;
  tain::Array<Expr> args;
  tain::Map<tain::String, Expr> options;
  tain::Optional<Expr> otherwise;
  CallNode(tain::String name, tain::Array<Expr> args, tain::Map<tain::String, Expr> options,
           tain::Optional<Expr> otherwise)
      : name(std::move(name)),
        args(std::move(args)),
        options(std::move(options)),
        otherwise(std::move(otherwise)) {}
  TAIN_OBJECT("testing.graph.Call", CallNode, ExprNode);
};

/// Says itself what is below it: only `shown`.
struct HookedNode : ExprNode {
  Expr shown, hidden;
  HookedNode(Expr shown, Expr hidden) : shown(std::move(shown)), hidden(std::move(hidden)) {}
  TAIN_OBJECT("testing.graph.Hooked", HookedNode, ExprNode);
};

/// A handle class of its own, so that `Add(lhs, rhs)` makes a node.
template <class Node>
struct Made : tain::Ref<Node> {
  using tain::Ref<Node>::Ref;
  template <class... A>
    requires std::is_constructible_v<Node, A...>
  explicit Made(A... args) : tain::Ref<Node>(tain::make_object<Node>(std::move(args)...)) {}
};
using Add = Made<AddNode>;
using Mul = Made<MulNode>;
using Var = Made<VarNode>;
using Num = Made<ConstantNode>;

}  // namespace tain_testing::graph
