// SPDX-License-Identifier: Apache-2.0
// hnswlib in Python, with pybind11.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "../search.h"

namespace py = pybind11;
using namespace py::literals;

namespace {

using search::Index;
using search::Space;
using Rows = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Labels = py::array_t<uint64_t, py::array::c_style | py::array::forcecast>;

void Add(Index& index, const Rows& rows, const std::optional<Labels>& labels, size_t threads) {
  if (rows.ndim() != 2) throw py::type_error("rows: expected an array of 2 dimensions");
  std::optional<std::pair<const uint64_t*, size_t>> given;
  if (labels) {
    if (labels->ndim() != 1) throw py::type_error("labels: expected an array of 1 dimension");
    given.emplace(labels->data(), labels->shape(0));
  }
  py::gil_scoped_release released;
  search::Add(index, rows.data(), rows.shape(0), rows.shape(1), given, threads);
}

py::tuple Query(const Index& index, const Rows& rows, size_t k, size_t threads) {
  if (rows.ndim() != 2) throw py::type_error("rows: expected an array of 2 dimensions");
  const std::vector<py::ssize_t> shape = {rows.shape(0), static_cast<py::ssize_t>(k)};
  py::array_t<uint64_t> labels(shape);
  py::array_t<float> distances(shape);
  uint64_t* const label_data = labels.mutable_data();
  float* const distance_data = distances.mutable_data();
  {
    py::gil_scoped_release released;
    search::Find(index, rows.data(), rows.shape(0), rows.shape(1), k, label_data, distance_data,
                 threads);
  }
  return py::make_tuple(labels, distances);
}

/// A view into the index, which it keeps alive.
py::array_t<float> Vector(const py::object& self, size_t label) {
  const Index& index = self.cast<const Index&>();
  py::array_t<float> view(static_cast<py::ssize_t>(search::Dim(index)),
                          search::Vector(index, label), self);
  view.attr("setflags")("write"_a = false);
  return view;
}

}  // namespace

PYBIND11_MODULE(hnsw_pb, m) {
  py::class_<Space>(m, "Space").def_property_readonly("data_size", &Space::get_data_size);
  py::class_<hnswlib::L2Space, Space>(m, "L2Space").def(py::init<size_t>(), "dim"_a);
  py::class_<hnswlib::InnerProductSpace, Space>(m, "InnerProductSpace")
      .def(py::init<size_t>(), "dim"_a);
  py::class_<Index>(m, "Index")
      .def(py::init<Space*, size_t, size_t, size_t, size_t>(), "space"_a, "max_elements"_a,
           "M"_a = 16, "ef_construction"_a = 200, "random_seed"_a = 100, py::keep_alive<1, 2>())
      .def(py::init<Space*, const std::string&>(), "space"_a, "location"_a, py::keep_alive<1, 2>())
      .def_readonly("max_elements", &Index::max_elements_)
      .def_readonly("element_count", &Index::cur_element_count)
      .def_readwrite("ef", &Index::ef_)
      .def("add_items", Add, "rows"_a, "labels"_a = py::none(), "threads"_a = 0)
      .def("query", Query, "rows"_a, "k"_a = 1, "threads"_a = 0)
      .def("vector", Vector, "label"_a)
      .def("mark_deleted", &Index::markDelete, "label"_a)
      .def("resize", &Index::resizeIndex, "max_elements"_a)
      .def("save", &Index::saveIndex, "location"_a, py::call_guard<py::gil_scoped_release>());
}
