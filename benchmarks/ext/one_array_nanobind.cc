// SPDX-License-Identifier: Apache-2.0
// One function of an array in nanobind, for the time that it takes to compile.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace nb = nanobind;

namespace {

double Total(nb::ndarray<const float, nb::ndim<1>, nb::device::cpu, nb::c_contig> x) {
  double sum = 0;
  const float* data = x.data();
  for (size_t i = 0; i < x.shape(0); ++i) sum += static_cast<double>(data[i]);
  return sum;
}

}  // namespace

NB_MODULE(one_array_nanobind, m) { m.def("total", Total); }
