// SPDX-License-Identifier: Apache-2.0
// Wrong use: a parameter that is a reference to a value.
// expect: a parameter cannot be a reference to a non-const value: take it by value or by const&
#include "tain/reflection/object_def.h"

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.increment", [](int& x) { ++x; });
}
