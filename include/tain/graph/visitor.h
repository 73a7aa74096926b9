// SPDX-License-Identifier: Apache-2.0
// Visitor and Mutator: base classes for Python classes that walk over graphs.
//
// A Python class with a method `visit_Add(self, node)` is called for nodes whose key ends in `.Add`,
// and for nodes of derived types that have no method of their own; `generic_visit` for the rest.
// C++ takes a Ref<VisitorObj> as a parameter and calls `visitor->visit(graph)`. Classes of C++
// derive from ExprVisitor and ExprMutator instead, which find their methods faster.
#pragma once

#include <memory>

#include "tain/internal/graph_walk.h"
#include "tain/virtual.h"

namespace tain::transform {

/// Visits a graph and returns nothing.
class TAIN_DLL VisitorObj : public Object {
 public:
  VisitorObj();
  virtual ~VisitorObj();

  /// Visits a graph: calls the method of the node's type, or generic_visit.
  TAIN_VIRTUAL(visit)
  void visit_impl(const Any& node);
  /// Visits the parts of a node.
  TAIN_VIRTUAL(generic_visit)
  void generic_visit_impl(const Any& node);

  TAIN_OBJECT("tain.transform.Visitor", VisitorObj, Object);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};
using Visitor = Ref<VisitorObj>;

/// Makes a new graph from a graph.
class TAIN_DLL MutatorObj : public Object {
 public:
  MutatorObj();
  virtual ~MutatorObj();

  /// Returns what a graph becomes: the result of the method of the node's type, or of
  /// generic_visit.
  TAIN_VIRTUAL(visit)
  Any visit_impl(const Any& node);
  /// Returns a node with its parts mutated.
  TAIN_VIRTUAL(generic_visit)
  Any generic_visit_impl(const Any& node);

  TAIN_OBJECT("tain.transform.Mutator", MutatorObj, Object);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};
using Mutator = Ref<MutatorObj>;

}  // namespace tain::transform
