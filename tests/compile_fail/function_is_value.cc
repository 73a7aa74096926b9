// SPDX-License-Identifier: Apache-2.0
// Wrong use: a value as a function.
// expect: this is no function: a function, a lambda or a member function is needed
#include <string>

#include "tain/reflection/object_def.h"

TAIN_REGISTER { tain::reflection::GlobalDef().def("wrong.name", std::string("name")); }
