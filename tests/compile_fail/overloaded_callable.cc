// SPDX-License-Identifier: Apache-2.0
// Wrong use: an overloaded operator().
// expect: this callable has a generic or overloaded operator(): pick one signature, for example
// [f](int x) { return f(x); }
#include "tain/reflection/object_def.h"

struct Twice {
  int operator()(int x) const { return 2 * x; }
  double operator()(double x) const { return 2 * x; }
};

TAIN_REGISTER { tain::reflection::GlobalDef().def("wrong.twice", Twice{}); }
