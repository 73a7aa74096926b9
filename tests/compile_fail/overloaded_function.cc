// SPDX-License-Identifier: Apache-2.0
// Wrong use: the name of overloaded functions.
// output: UseOverloadCast
#include "tain/reflection/object_def.h"

double Get() { return 1; }
double Get(int) { return 1; }

TAIN_REGISTER { tain::reflection::GlobalDef().def("wrong.get", Get); }
