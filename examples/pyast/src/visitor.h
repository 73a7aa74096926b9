// SPDX-License-Identifier: Apache-2.0
// Visitor: a walk over a tree with a method for each kind of node, as ast.NodeVisitor.
//
// visit(node) calls visit_Name, visit_Call ... by the kind of the node; each of these calls
// generic_visit, which visits the children. C++ overrides the methods that end in `_impl`, a Python
// subclass those without. A pass over trees is a class that derives from this one. A tree of more
// than kMaxDepth levels, such as one with a cycle, raises RecursionError.
#pragma once

#include "kinds.h"

namespace pyast {

inline constexpr int kMaxDepth = 2000;

struct VisitorObj : tain::Object {
  virtual ~VisitorObj() = default;

  TAIN_VIRTUAL(visit)
  virtual void visit_impl(const AST& node);
  TAIN_VIRTUAL(generic_visit)
  virtual void generic_visit_impl(const AST& node);

#define PYAST_METHOD(Kind, name) \
  TAIN_VIRTUAL(visit_##name)     \
  virtual void visit_##name##_impl(const Kind& node);
  PYAST_KINDS(PYAST_METHOD)
#undef PYAST_METHOD

  TAIN_OBJECT("pyast.Visitor", VisitorObj, tain::Object);

 private:
  int level_ = 0;  // of calls of visit_impl
};
using Visitor = Ref<VisitorObj>;

}  // namespace pyast
