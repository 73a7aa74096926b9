// SPDX-License-Identifier: Apache-2.0
// Wrong use: a constructor without arguments that cannot set a Ref.
// expect: def_init<A...>: the class has no constructor that takes these types; a member tain::Ref<U> has
// no default: initialize it, or make it a tain::Ptr<U>
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
  tain::reflection::ObjectDef<LineObj>().def_rw("start", &LineObj::start).def_init<>();
}
