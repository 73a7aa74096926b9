// SPDX-License-Identifier: Apache-2.0
// Wrong use: a static member as a field.
// expect: def_ro/def_rw: a static member belongs to no object: use def_attr for a constant,
// def_static for a function that reads it
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  inline static int count = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_ro("count", &PointObj::count); }
