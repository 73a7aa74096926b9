# SPDX-License-Identifier: Apache-2.0
"""Libraries whose functions give and take arrays; each is compiled once."""

from __future__ import annotations

import functools
from typing import Any

import tain.cpp

_COMMON = """
#include <tain/stl.h>
#include <tain/tain.h>
#include <numeric>
using tain::as_numpy, tain::Tensor;
namespace refl = tain::reflection;
inline Tensor Counted(int64_t n) {
  std::vector<int32_t> made(static_cast<size_t>(n));
  std::iota(made.begin(), made.end(), 0);
  return Tensor::FromVector(std::move(made));
}
"""

_RESULTS = """
struct Marked : tain::Object {
  Tensor field = Counted(2);
  Tensor method() const { return Counted(3); }
  TAIN_OBJECT("array_results.Marked", Marked, tain::Object);
};
struct Whole : tain::Object {
  Tensor field = Counted(2);
  Tensor method() const { return Counted(3); }
  Tensor data() const { return Counted(1); }
  TAIN_OBJECT("array_results.Whole", Whole, tain::Object);
};
struct Matrix : tain::Object {
  std::vector<float> values;
  int64_t rows, columns;
  Matrix(int64_t r, int64_t c) : values(static_cast<size_t>(r * c)), rows(r), columns(c) {}
  float at(int64_t i, int64_t j) const { return values[static_cast<size_t>(i * columns + j)]; }
  Tensor data() {
    return Tensor::View(values.data(), {rows, columns}, tain::GetRef<tain::Ref<Matrix>>(this));
  }
  Tensor transposed() {
    return Tensor::View(values.data(), {columns, rows}, {1, columns},
                        tain::GetRef<tain::Ref<Matrix>>(this));
  }
  TAIN_OBJECT("array_results.Matrix", Matrix, tain::Object);
};
struct OnCuda {
  void AllocData(DLTensor* tensor) { tensor->data = nullptr; }
  void FreeData(DLTensor*) {}
};
TAIN_REGISTER {
  refl::ObjectDef<Marked>()
      .def_init<>()
      .def_ro("field", &Marked::field, as_numpy())
      .def("method", &Marked::method, as_numpy())
      .def("other", &Marked::method);
  refl::ObjectDef<Whole>(as_numpy())
      .def_init<>()
      .def_rw("field", &Whole::field)
      .def("method", &Whole::method)
      .def_property("data", &Whole::data);
  refl::ObjectDef<Matrix>(as_numpy())
      .def_init<int64_t, int64_t>()
      .def_property("data", &Matrix::data)
      .def_property("columns", &Matrix::transposed)
      .def("at", &Matrix::at);
  refl::GlobalDef()
      .def("array_results.counted", Counted, tain::arg("n"), as_numpy())
      .def("array_results.plain", Counted, tain::arg("n"))
      .def("array_results.pair",
           [](int64_t n) { return std::tuple<Tensor, Tensor>(Counted(n), Counted(n)); }, as_numpy())
      .def("array_results.maybe",
           [](int64_t n) { return n == 0 ? std::nullopt : std::optional<Tensor>(Counted(n)); },
           as_numpy())
      .def("array_results.several",
           [](int64_t n) { return std::vector<Tensor>{Counted(n), Counted(n)}; }, as_numpy())
      .def("array_results.echo", [](Tensor x) { return x; }, as_numpy())
      .def("array_results.constant",
           [] {
             static const double values[] = {1, 2};
             return Tensor::View(values, {2}, nullptr);
           },
           as_numpy())
      .def("array_results.on_device",
           [] {
             const int64_t shape[] = {0};
             return Tensor::FromNDAlloc(OnCuda(), shape, tain::DTypeOf<float>::value, {kDLCUDA, 0});
           },
           as_numpy())
      .def("array_results.null_view",
           [] { return Tensor::View(static_cast<float*>(nullptr), {2}, nullptr); })
      .def("array_results.few_strides",
           [] {
             static float value = 0;
             return Tensor::View(&value, {1, 1}, {1}, nullptr);
           })
      .def("array_results.vector_of_3", [](int64_t n) {
        return Tensor::FromVector(std::vector<float>(3), {n, n});
      });
}
"""

_LIBRARY = """
struct Holder : tain::Object {
  Tensor data = Counted(2);
  Tensor make() const { return Counted(3); }
  TAIN_OBJECT("array_whole.Holder", Holder, tain::Object);
};
TAIN_REGISTER {
  refl::GlobalDef().def("array_whole.early", Counted);
  refl::ObjectDef<Holder>().def_init<>().def_rw("data", &Holder::data).def("make", &Holder::make);
  refl::GlobalDef().def(
      "array_whole.overloaded",
      tain::overload(Counted, [](std::vector<int64_t> v) {
        return Tensor::FromVector(std::vector<int64_t>{static_cast<int64_t>(v.size())});
      }));
}
TAIN_REGISTER { refl::LibraryDef().set(as_numpy()); }
TAIN_REGISTER { refl::GlobalDef().def("array_whole.late", Counted); }
"""

_PARAMETERS = """
namespace sky {
struct Star { double x; float magnitude; int32_t id[2]; };
}
TAIN_STRUCT_DTYPE(sky::Star, x, magnitude, id);
using tain::Convert, tain::RowMajor, tain::TensorRef;
TAIN_REGISTER {
  refl::GlobalDef()
      .def("array_parameters.total",
           [](TensorRef<const float, 2, Convert> x) {
             double sum = 0;
             for (const auto row : x) {
               for (const float value : row) sum += value;
             }
             return sum;
           },
           tain::arg("x"))
      .def("array_parameters.rows",
           [](TensorRef<const float, 2, RowMajor, Convert> x) {
             std::vector<double> sums;
             for (const std::span<const float> row : x) {
               sums.push_back(std::accumulate(row.begin(), row.end(), 0.0));
             }
             return sums;
           },
           tain::arg("x"))
      .def("array_parameters.address",
           [](TensorRef<const float, tain::kAnyRank, RowMajor, Convert> x) {
             return reinterpret_cast<uintptr_t>(x.data());
           })
      .def("array_parameters.labels",
           [](TensorRef<const uint64_t, 1, Convert> x) {
             return std::vector<uint64_t>(x.begin(), x.end());
           })
      .def("array_parameters.small",
           [](TensorRef<const int8_t, 1, Convert> x) {
             return std::vector<int64_t>(x.begin(), x.end());
           })
      .def("array_parameters.flags",
           [](TensorRef<const bool, 1, Convert> x) { return x.size(); })
      .def("array_parameters.maybe",
           [](std::optional<TensorRef<const double, 1, Convert>> x) {
             return x ? static_cast<int64_t>(x->size()) : -1;
           })
      .def("array_parameters.triples",
           [](TensorRef<const double, 2, tain::Extents<-1, 3>, Convert> x) { return x.size(); })
      .def("array_parameters.strict",
           [](TensorRef<double, 1> x) {
             std::sort(x.begin(), x.end());
             return x.size();
           },
           tain::arg("x"))
      .def("array_parameters.pick",
           tain::overload([](double) { return "number"; },
                          [](TensorRef<const float, 1, Convert>) { return "float32"; },
                          [](TensorRef<const double, 1, Convert>) { return "float64"; }))
      .def("array_parameters.brightest",
           [](TensorRef<const sky::Star, 1> stars) {
             const sky::Star* best = nullptr;
             for (const sky::Star& star : stars) {
               if (best == nullptr || star.magnitude < best->magnitude) best = &star;
             }
             return best == nullptr ? -1 : best->id[1];
           },
           tain::arg("stars"))
      .def("array_parameters.dim", [](TensorRef<sky::Star> stars) {
        for (int64_t i = 0; i < stars.numel(); ++i) stars(i).magnitude += 1;
      });
}
"""


@functools.cache
def results() -> Any:
    """Return a library with functions, methods and fields that give arrays."""
    return tain.cpp.load_inline("array_results", cpp_sources=_COMMON + _RESULTS)


@functools.cache
def library() -> Any:
    """Return a library all of whose tensors are arrays of numpy."""
    return tain.cpp.load_inline("array_whole", cpp_sources=_COMMON + _LIBRARY)


@functools.cache
def parameters() -> Any:
    """Return a library whose functions convert arrays."""
    return tain.cpp.load_inline("array_parameters", cpp_sources=_COMMON + _PARAMETERS)
