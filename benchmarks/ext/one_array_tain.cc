// SPDX-License-Identifier: Apache-2.0
// One function of an array, for the time that it takes to compile.
#include <tain/tain.h>

namespace {

double Total(tain::TensorRef<const float, 1> x) {
  double sum = 0;
  for (float value : x) sum += static_cast<double>(value);
  return sum;
}

TAIN_REGISTER { tain::reflection::GlobalDef().def("bench_one.total", Total); }

}  // namespace
