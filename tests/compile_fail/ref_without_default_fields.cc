// SPDX-License-Identifier: Apache-2.0
// Wrong use: a field constructor of a class with a Ref without default.
// expect: def_init_fields: the class needs a default constructor; a member tain::Ref<U> has no default:
// initialize it, or make it a tain::Ptr<U>
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};
struct LineObj : tain::Object {
  tain::Ref<PointObj> start;
  TAIN_OBJECT("wrong.Line", LineObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<LineObj>().def_rw("start", &LineObj::start).def_init_fields();
}
