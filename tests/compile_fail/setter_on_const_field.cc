// SPDX-License-Identifier: Apache-2.0
// Wrong use: an assignable field that is const.
// expect: def_rw: the member is const: use def_ro
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  const double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_rw("x", &PointObj::x); }
