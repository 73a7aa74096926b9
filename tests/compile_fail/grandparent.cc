// SPDX-License-Identifier: Apache-2.0
// Wrong use: a parent that is a base class, but not the nearest one that is registered.
// expect: TAIN_OBJECT(key, Self, Parent): Parent is not the nearest base class that has a
// TAIN_OBJECT: name that one
#include "tain/object.h"
#include "tain/reflection/object_def.h"

struct ShapeObj : tain::Object {
  TAIN_OBJECT("wrong.Shape", ShapeObj, tain::Object);
};
struct PolygonObj : ShapeObj {};  // not registered, so it does not count
struct BoxObj : PolygonObj {
  TAIN_OBJECT("wrong.Box", BoxObj, ShapeObj);
};
struct SquareObj : BoxObj {
  TAIN_OBJECT("wrong.Square", SquareObj, ShapeObj);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<BoxObj>();
  tain::reflection::ObjectDef<SquareObj>();
}
