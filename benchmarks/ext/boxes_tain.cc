// SPDX-License-Identifier: Apache-2.0
// The classes of boxes_model.h as boxes; a part of bench_tain.cc's library.
#include <tain/boxed.h>
#include <tain/stl.h>
#include <tain/tain.h>

#include "boxes_model.h"

namespace {

struct PyForm : tain::Overrides<model::Form> {
  using Overrides::Overrides;
  TAIN_OVERRIDE_CONST(int64_t, scaled, int64_t)
};

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using model::Leaf, model::Tree, model::Form;
  using tain::Boxed;
  refl::ObjectDef<Boxed<Leaf>>("bench.Leaf").def_init<int64_t>().def_rw("id", &Leaf::id);
  refl::ObjectDef<Boxed<Tree>>("bench.Tree")
      .def_init<>()
      .def("ref", &Tree::ref)
      .def("get", &Tree::get)
      .def("make", &Tree::make)
      .def("score", &Tree::score)
      .def("new_score", &Tree::new_score)
      .def_rw("member", &Tree::member);
  refl::ObjectDef<Boxed<Form, PyForm>>("bench.Form").def_init<>().def("scaled", &Form::scaled);
  refl::GlobalDef().def("bench.sum_of_scaled", model::SumOfScaled);
}

}  // namespace
