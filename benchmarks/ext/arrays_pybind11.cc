// SPDX-License-Identifier: Apache-2.0
// The benchmark's functions of arrays in pybind11; a part of bench_pybind11.cc's module.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <utility>

namespace py = pybind11;

namespace {

// Neither converts: an array of another type is an error, as with the others.
using V = py::array_t<float, 0>;

/// Three floats in new memory.
V NewArray() {
  V made(3);
  float* data = made.mutable_data();
  for (int i = 0; i < 3; ++i) data[i] = static_cast<float>(i);
  return made;
}

/// Holds its argument until the next call.
int64_t KeepArray(py::array x) {
  static auto* kept = new py::array();  // never destroyed: the interpreter ends before
  *kept = std::move(x);
  return kept->shape(0);
}

}  // namespace

void BindArrays(py::module_& m) {
  const auto x = py::arg("x").noconvert();
  m.def("array_view", [](const V& x) { return x.shape(0); }, x);
  m.def("array_ref", [](const V& x) { return x.shape(0); }, x);
  m.def("keep_array", KeepArray);
  m.def("echo_array", [](py::array x) { return x; });
  m.def("new_array", NewArray);
  m.def(
      "eight_arrays",
      [](const V& a, const V& b, const V& c, const V& d, const V& e, const V& f, const V& g,
         const V& h) {
        return a.shape(0) + b.shape(0) + c.shape(0) + d.shape(0) + e.shape(0) + f.shape(0) +
               g.shape(0) + h.shape(0);
      },
      py::arg("a").noconvert(), py::arg("b").noconvert(), py::arg("c").noconvert(),
      py::arg("d").noconvert(), py::arg("e").noconvert(), py::arg("f").noconvert(),
      py::arg("g").noconvert(), py::arg("h").noconvert());
}
