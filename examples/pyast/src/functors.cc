// SPDX-License-Identifier: Apache-2.0
// Two walks by tain's functors: one that counts nodes, and one that changes nothing.
//
// The functors go through the fields that Describe registers, so neither needs VisitChildren.
#include <tain/graph/functor.h>

#include "kinds.h"

namespace pyast {

namespace {

class NodeCounter : public tain::ExprVisitor<AST> {
 public:
  int64_t nodes = 0;
  void VisitExprDefault_(const tain::Object*) override {
    ++nodes;
    VisitPartsLater();
  }
};

#define PYAST_LISTED(Kind, name) , Kind##Obj
template <class First, class... Kinds>
using MutatorOf = tain::ExprMutator<First, Kinds...>;
/// Could have a method for each kind; a tree stays the same object.
class Identity : public MutatorOf<AST PYAST_KINDS(PYAST_LISTED)> {};
#undef PYAST_LISTED

}  // namespace

TAIN_REGISTER {
  // Not tain::thread_safe(): they read nodes, which may be assigned to.
  tain::reflection::GlobalDef()
      .def(
          "pyast.count_nodes",
          [](const AST& tree) {
            NodeCounter counter;
            counter.Visit(tree);
            return counter.nodes;
          },
          tain::arg("tree"), "Returns the number of nodes of a tree.")
      .def(
          "pyast.identity", [](const AST& tree) { return Identity().Mutate(tree); },
          tain::arg("tree"), "Mutates nothing; returns the tree itself.");
}

}  // namespace pyast
