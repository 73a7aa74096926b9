// SPDX-License-Identifier: Apache-2.0
// Wrong use: a function with C's variable arguments.
// expect: a function with C's variable arguments has no one signature: wrap it in a lambda with the
// parameters that it shall have
#include <cstdio>

#include "tain/reflection/object_def.h"

TAIN_REGISTER { tain::reflection::GlobalDef().def("wrong.print", std::printf); }
