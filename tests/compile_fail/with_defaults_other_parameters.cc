// SPDX-License-Identifier: Apache-2.0
// Wrong use: a shorter form whose parameter is another one.
// expect: with_defaults: a shorter form takes the first parameters of the function, and not all of
// them
#include "tain/tain.h"

int64_t Scale(int64_t x, double by);
int64_t Wrong(double by);

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.scale", tain::with_defaults(Scale, Wrong));
}
