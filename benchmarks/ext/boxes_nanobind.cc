// SPDX-License-Identifier: Apache-2.0
// The classes of boxes_model.h in nanobind; a part of bench_nanobind.cc's module.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/trampoline.h>

#include "boxes_model.h"

namespace nb = nanobind;

namespace {

struct PyForm : model::Form {
  NB_TRAMPOLINE(Form, 1);
  int64_t scaled(int64_t x) const override { NB_OVERRIDE(scaled, x); }
};

}  // namespace

void BindBoxes(nb::module_& m) {
  using model::Leaf, model::Tree, model::Form;
  nb::class_<Leaf>(m, "Leaf").def(nb::init<int64_t>()).def_rw("id", &Leaf::id);
  nb::class_<Tree>(m, "Tree")
      .def(nb::init<>())
      .def("ref", &Tree::ref, nb::rv_policy::reference_internal)
      .def("get", &Tree::get)
      .def("make", &Tree::make)
      .def("score", &Tree::score)
      .def("new_score", &Tree::new_score)
      .def_rw("member", &Tree::member);
  nb::class_<Form, PyForm>(m, "Form").def(nb::init<>()).def("scaled", &Form::scaled);
  m.def("sum_of_scaled", model::SumOfScaled);
}
