// SPDX-License-Identifier: Apache-2.0
// Wrong use: the same in the two-class form.
// expect: TAIN_OBJECT(key, Self, Parent): Parent is not the nearest base class that has a
// TAIN_OBJECT: name that one
#include "tain/object.h"
#include "tain/reflection/object_def.h"

struct ShapeObj : tain::Object {
  TAIN_DECLARE_OBJECT_INFO("wrong.Shape", ShapeObj, tain::Object);
};
struct BoxObj : ShapeObj {
  TAIN_DECLARE_OBJECT_INFO("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>(); }
