// SPDX-License-Identifier: Apache-2.0
// Going over the children of any node, in the order of the grammar.
//
//   struct Counter : ChildVisitor { int n = 0; void Node(const AST&) override { ++n; } } counter;
//   VisitChildren(*node, counter);
// How to do that for a class follows from the members that Describe is given (describe.h).
#pragma once

#include <functional>

#include "ast.h"

namespace pyast {

/// What is done with children.
class ChildVisitor {
 public:
  virtual ~ChildVisitor() = default;
  virtual void Node(const AST& child) = 0;
  /// A child that is an expression; returns what takes its place.
  virtual Expr Expression(const Expr& child) {
    Node(child);
    return child;
  }
};

/// Visits the children of a node; a node of a class that nobody described has none.
void VisitChildren(ASTObj& node, ChildVisitor& visitor);

namespace internal {

using ChildrenOf = std::function<void(ASTObj&, ChildVisitor&)>;
/// Says how the children of one class are visited.
void SetChildrenOf(int32_t type_index, ChildrenOf children);

template <class T>
inline constexpr bool kIsNode = false;
template <class T>
inline constexpr bool kIsNode<Ref<T>> = std::is_base_of_v<ASTObj, T>;

}  // namespace internal

/// Visits what a field holds: nodes, one or many; anything else is none of the visitor's business.
template <class M>
void VisitField(M&, ChildVisitor&) {}
template <class T>
  requires internal::kIsNode<Ref<T>>
void VisitField(Ref<T>& node, ChildVisitor& visitor) {
  if constexpr (std::is_same_v<T, ExprObj>) {
    node = visitor.Expression(node);
  } else {
    visitor.Node(node);
  }
}
template <class T>
void VisitField(Optional<Ref<T>>& node, ChildVisitor& visitor) {
  if (node) VisitField(*node, visitor);
}
template <class T>
  requires(internal::kIsNode<T> || internal::kIsNode<typename T::value_type>)
void VisitField(Array<T>& nodes, ChildVisitor& visitor) {
  for (int64_t i = 0; i < static_cast<int64_t>(nodes.size()); ++i) {
    T node = nodes[i];
    const T before = node;
    VisitField(node, visitor);
    if (!(node == before)) nodes.Set(i, std::move(node));
  }
}

}  // namespace pyast
