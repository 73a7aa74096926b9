// SPDX-License-Identifier: Apache-2.0
// Wrong use: a number of arguments between the smallest and the largest that no form takes.
// expect: with_defaults: there is one shorter form for each number of arguments, down to the
// smallest
#include "tain/tain.h"

int64_t Scale(int64_t x, double by, bool negate);
int64_t Once(int64_t x);

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.scale", tain::with_defaults(Scale, Once));
}
