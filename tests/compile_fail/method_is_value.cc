// SPDX-License-Identifier: Apache-2.0
// Wrong use: a value as a method.
// expect: this is no function: a function, a lambda or a member function is needed; use def_attr
// for a constant
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def("size", 5); }
