// SPDX-License-Identifier: Apache-2.0
// The benchmark's functions of arrays as custom operators of PyTorch.
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include <cstdint>

namespace {

using T = const at::Tensor&;

int64_t ArrayView(T x) { return x.size(0); }

/// What its users check by hand.
int64_t ArrayRef(T x) {
  TORCH_CHECK(x.dim() == 1 && x.scalar_type() == at::kFloat, "expected a vector of float32");
  return x.size(0);
}

/// Three floats in new memory.
at::Tensor NewLike(T) {
  at::Tensor made = at::empty({3}, at::kFloat);
  auto* data = made.mutable_data_ptr<float>();
  for (int i = 0; i < 3; ++i) data[i] = static_cast<float>(i);
  return made;
}

int64_t EightArrays(T a, T b, T c, T d, T e, T f, T g, T h) {
  return a.size(0) + b.size(0) + c.size(0) + d.size(0) + e.size(0) + f.size(0) + g.size(0) +
         h.size(0);
}

}  // namespace

TORCH_LIBRARY(bench, m) {
  m.def("array_view(Tensor x) -> int");
  m.def("array_ref(Tensor x) -> int");
  m.def("new_like(Tensor x) -> Tensor");
  m.def(
      "eight_arrays(Tensor a, Tensor b, Tensor c, Tensor d, Tensor e, Tensor f, Tensor g, Tensor h)"
      " -> int");
}

TORCH_LIBRARY_IMPL(bench, CPU, m) {
  m.impl("array_view", ArrayView);
  m.impl("array_ref", ArrayRef);
  m.impl("new_like", NewLike);
  m.impl("eight_arrays", EightArrays);
}
