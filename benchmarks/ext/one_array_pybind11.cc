// SPDX-License-Identifier: Apache-2.0
// One function of an array in pybind11, for the time that it takes to compile.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace {

double Total(const py::array_t<float, py::array::c_style>& x) {
  double sum = 0;
  for (py::ssize_t i = 0; i < x.shape(0); ++i) sum += static_cast<double>(x.data()[i]);
  return sum;
}

}  // namespace

PYBIND11_MODULE(one_array_pybind11, m) { m.def("total", Total); }
