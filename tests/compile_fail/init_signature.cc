// SPDX-License-Identifier: Apache-2.0
// Wrong use: a constructor that the class does not have.
// expect: def_init<A...>: the class has no constructor that takes these types
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_init<double, double>(); }
