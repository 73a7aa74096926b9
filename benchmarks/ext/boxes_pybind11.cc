// SPDX-License-Identifier: Apache-2.0
// The classes of boxes_model.h in pybind11; a part of bench_pybind11.cc's module.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "boxes_model.h"

namespace py = pybind11;

namespace {

struct PyForm : model::Form {
  using Form::Form;
  int64_t scaled(int64_t x) const override { PYBIND11_OVERRIDE(int64_t, Form, scaled, x); }
};

}  // namespace

void BindBoxes(py::module_& m) {
  using model::Leaf, model::Tree, model::Form;
  py::class_<Leaf, std::shared_ptr<Leaf>>(m, "Leaf")
      .def(py::init<int64_t>())
      .def_readwrite("id", &Leaf::id);
  py::class_<Tree>(m, "Tree")
      .def(py::init<>())
      .def("ref", &Tree::ref, py::return_value_policy::reference_internal)
      .def("get", &Tree::get)
      .def("make", &Tree::make)
      .def("score", &Tree::score)
      .def("new_score", &Tree::new_score)
      .def_readwrite("member", &Tree::member);
  py::class_<Form, PyForm>(m, "Form").def(py::init<>()).def("scaled", &Form::scaled);
  m.def("sum_of_scaled", model::SumOfScaled);
}
