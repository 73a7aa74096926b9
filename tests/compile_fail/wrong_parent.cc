// SPDX-License-Identifier: Apache-2.0
// Wrong use: a parent that is no base class.
// expect: TAIN_OBJECT(key, Self, Parent): Self must derive from Parent
#include "tain/object.h"
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};
struct BoxObj : tain::Object {
  TAIN_OBJECT("wrong.Box", BoxObj, PointObj);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>(); }
