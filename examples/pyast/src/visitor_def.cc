// SPDX-License-Identifier: Apache-2.0
// The visitor as Python sees it: a class whose methods a subclass overrides.
#include "visitor.h"

namespace pyast {

TAIN_REGISTER {
  using tain::arg;
  // Not tain::thread_safe(), nor are the passes: a visitor has a state, and trees may change.
  tain::reflection::ObjectDef<VisitorObj> def(
      "A walk over a tree, for subclasses that override the methods of some kinds of nodes.");
  def.def_init<>()
      .def_virtual("visit", &VisitorObj::visit_impl, arg("node"),
                   "Calls the method of the node's kind.")
      .def_virtual("generic_visit", &VisitorObj::generic_visit_impl, arg("node"),
                   "Visits the node's children.");
#define PYAST_DEFINE(Kind, name) \
  def.def_virtual("visit_" #name, &VisitorObj::visit_##name##_impl, arg("node"));
  PYAST_KINDS(PYAST_DEFINE)
#undef PYAST_DEFINE
}

}  // namespace pyast
