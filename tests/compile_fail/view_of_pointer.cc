// SPDX-License-Identifier: Apache-2.0
// Wrong use: a tensor whose memory a bare pointer shall keep alive.
// expect: Tensor::View: a pointer keeps nothing alive: pass the owner itself
#include <vector>

#include "tain/tensor.h"

struct Buffer {
  std::vector<float> values;
  tain::Tensor View() { return tain::Tensor::View(values.data(), {2, 3}, this); }
};
