// SPDX-License-Identifier: Apache-2.0
// Wrong use: a function with C's variable arguments as a method.
// expect: a function with C's variable arguments has no one signature: wrap it in a lambda with the
// parameters that it shall have
#include <cstdio>

#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def("print", std::printf); }
