// SPDX-License-Identifier: Apache-2.0
// Wrong use: an object that keeps itself alive.
// expect: keep_alive<N, P>: N and P are the numbers of two objects: 0 the result, or what a
// constructor makes, 1 and later the arguments, for a method the object is 1; numbers and texts
// are copied
#include "tain/reflection/global_def.h"

static void Nothing() {}

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.nothing", &Nothing, tain::keep_alive<1, 1>());
}
