// SPDX-License-Identifier: Apache-2.0
// Wrong use: a generic operator().
// expect: this callable has a generic or overloaded operator(): pick one signature, for example
// [f](int x) { return f(x); }
#include "tain/reflection/object_def.h"

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.same", [](auto x) { return x; });
}
