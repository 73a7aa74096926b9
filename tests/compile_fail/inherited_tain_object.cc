// SPDX-License-Identifier: Apache-2.0
// Wrong use: a child that has only the TAIN_OBJECT of its parent.
// expect: ObjectDef<T>: T has no TAIN_OBJECT(key, T, Parent) of its own
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};
struct ChildObj : PointObj {
  double y = 0;
};

TAIN_REGISTER { tain::reflection::ObjectDef<ChildObj>().def_ro("y", &ChildObj::y); }
