// SPDX-License-Identifier: Apache-2.0
// Wrong use: a getter with a parameter of its own.
// expect: def_property: the getter takes the object and nothing else
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Scaled(double by) const { return x * by; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_property("x", &PointObj::Scaled); }
