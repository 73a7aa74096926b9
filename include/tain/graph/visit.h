// SPDX-License-Identifier: Apache-2.0
// Calls a function for each object of a graph, and makes a graph of what it returns.
//
//   tain::PreOrderVisit(root, [&](const tain::Any& node) { ++n; });
//   Expr simpler = tain::Rewrite(root, [](const tain::Any& node) { return Simplify(node); });
// Nodes are the objects that have registered fields or elements, and functions, modules and
// tensors. Numbers and texts are not nodes. Each node is visited once, so cycles end. Nesting may
// have any depth.
#pragma once

#include <type_traits>

#include "tain/any.h"
#include "tain/internal/object_traits.h"

namespace tain {
namespace internal {

/// Calls `visit(context, node)`; in pre-order its result tells whether to go on below the node.
TAIN_DLL void VisitGraph(const Any& root, bool post_order, void* context,
                         bool (*visit)(void* context, const Any& node));
/// Returns what `rewrite(context, node)` makes of all nodes. A graph that nobody else refers to is
/// changed in place.
TAIN_DLL Any RewriteGraph(Any root, void* context, Any (*rewrite)(void* context, const Any& node));

template <class F>
bool CallVisitor(void* context, const Any& node) {
  auto& f = *static_cast<std::remove_reference_t<F>*>(context);
  if constexpr (std::is_void_v<std::invoke_result_t<F&, const Any&>>) {
    f(node);
    return true;
  } else {
    return static_cast<bool>(f(node));
  }
}

}  // namespace internal

/// Calls `f(const Any& node)` for each node, a node before those below it. If `f` returns a bool,
/// false leaves out what is below the node.
template <class F>
void PreOrderVisit(const Any& root, F&& f) {
  internal::VisitGraph(root, false, const_cast<void*>(static_cast<const void*>(&f)),
                       &internal::CallVisitor<F>);
}
/// Calls `f(const Any& node)` for each node, after those below it.
template <class F>
void PostOrderVisit(const Any& root, F&& f) {
  internal::VisitGraph(root, true, const_cast<void*>(static_cast<const void*>(&f)),
                       &internal::CallVisitor<F>);
}
/// Returns the graph with each node replaced by the result of `f(const Any& node)`. `f` is called
/// for a node after those below it, and gets the node with its new parts. If `f` returns None or
/// the node, the node stays; nodes without a change keep their identity. A graph that is moved in
/// and that nobody else refers to is changed in place.
template <class T, class F>
T Rewrite(T root, F&& f) {
  Any rewritten = internal::RewriteGraph(
      Any(std::move(root)), const_cast<void*>(static_cast<const void*>(&f)),
      [](void* context, const Any& node) -> Any {
        return Any((*static_cast<std::remove_reference_t<F>*>(context))(node));
      });
  return rewritten.template cast<T>();
}

}  // namespace tain
