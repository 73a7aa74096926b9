// SPDX-License-Identifier: Apache-2.0
// The benchmark's functions of arrays in static nanobind; a part of bench_nanobind.cc's module.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>

namespace nb = nanobind;

namespace {

using V = nb::ndarray<float, nb::ndim<1>>;
using Vector = nb::ndarray<const float, nb::ndim<1>>;

/// Three floats in new memory, as the array of a framework.
template <class Array>
Array NewArray() {
  auto* data = new float[3];
  for (int i = 0; i < 3; ++i) data[i] = static_cast<float>(i);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Array(data, {3}, owner);
}

using NumpyArray = nb::ndarray<nb::numpy, float, nb::ndim<1>>;
using TorchArray = nb::ndarray<nb::pytorch, float, nb::ndim<1>>;

/// Holds its argument until the next call.
int64_t KeepArray(nb::ndarray<> x) {
  static auto* kept = new nb::ndarray<>();  // never destroyed: the interpreter ends before
  *kept = std::move(x);
  return static_cast<int64_t>(kept->shape(0));
}

}  // namespace

void BindArrays(nb::module_& m) {
  m.def("array_view", [](const V& x) { return x.shape(0); });
  m.def("array_ref", [](const Vector& x) { return x.shape(0); });
  m.def("keep_array", KeepArray);
  m.def("echo_array", [](nb::ndarray<> x) { return x; });
  m.def("new_array", NewArray<NumpyArray>);
  m.def("new_like", [](const V&) { return NewArray<TorchArray>(); });
  m.def("eight_arrays", [](const V& a, const V& b, const V& c, const V& d, const V& e, const V& f,
                           const V& g, const V& h) {
    return a.shape(0) + b.shape(0) + c.shape(0) + d.shape(0) + e.shape(0) + f.shape(0) +
           g.shape(0) + h.shape(0);
  });
}
