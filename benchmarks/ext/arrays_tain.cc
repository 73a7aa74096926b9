// SPDX-License-Identifier: Apache-2.0
// The benchmark's functions of arrays in tain; a part of bench_tain.cc's library.
#include <tain/tain.h>

namespace bench {

namespace {

using V = tain::TensorView;
using Vector = tain::TensorRef<const float, 1>;

/// Three floats in new memory.
tain::Tensor NewArray() {
  tain::Tensor made = tain::Tensor::Empty({3}, tain::DTypeOf<float>::value);
  auto* data = static_cast<float*>(made->data);
  for (int i = 0; i < 3; ++i) data[i] = static_cast<float>(i);
  return made;
}

/// Holds its argument until the next call.
int64_t KeepArray(tain::Tensor x) {
  static tain::Tensor kept;
  kept = std::move(x);
  return kept.size(0);
}

TAIN_REGISTER {
  tain::reflection::GlobalDef()
      .def("bench.array_view", [](V x) { return x.size(0); })
      .def("bench.array_ref", [](Vector x) { return x.size(0); })
      .def("bench.keep_array", KeepArray)
      .def("bench.echo_array", [](tain::Tensor x) { return x; })
      .def("bench.new_array", NewArray)
      .def("bench.new_like", [](V) { return NewArray(); })
      .def("bench.eight_arrays", [](V a, V b, V c, V d, V e, V f, V g, V h) {
        return a.size(0) + b.size(0) + c.size(0) + d.size(0) + e.size(0) + f.size(0) + g.size(0) +
               h.size(0);
      });
}

}  // namespace

}  // namespace bench
