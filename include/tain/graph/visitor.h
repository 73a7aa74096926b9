// SPDX-License-Identifier: Apache-2.0
// Visitor and Mutator: objects that walk over graphs, for classes of Python that override methods.
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

class VisitorObj : public Object {
 public:
  TAIN_DLL VisitorObj();
  TAIN_DLL virtual ~VisitorObj();

  /// Visits a graph: calls the method of the node's type, or generic_visit.
  TAIN_VIRTUAL(visit)
  TAIN_DLL void visit_impl(const Any& node);
  /// Visits the parts of a node.
  TAIN_VIRTUAL(generic_visit)
  TAIN_DLL void generic_visit_impl(const Any& node);

  TAIN_OBJECT("tain.transform.Visitor", VisitorObj, Object);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};
using Visitor = Ref<VisitorObj>;

class MutatorObj : public Object {
 public:
  TAIN_DLL MutatorObj();
  TAIN_DLL virtual ~MutatorObj();

  /// Returns what a graph becomes: the result of the method of the node's type, or of
  /// generic_visit.
  TAIN_VIRTUAL(visit)
  TAIN_DLL Any visit_impl(const Any& node);
  /// Returns a node with its parts mutated.
  TAIN_VIRTUAL(generic_visit)
  TAIN_DLL Any generic_visit_impl(const Any& node);

  TAIN_OBJECT("tain.transform.Mutator", MutatorObj, Object);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};
using Mutator = Ref<MutatorObj>;

}  // namespace tain::transform
