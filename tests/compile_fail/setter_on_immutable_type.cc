// SPDX-License-Identifier: Apache-2.0
// Wrong use: an assignable field of a type that cannot change.
// expect: def_rw: the class says _type_mutable = false: use def_ro
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  static constexpr bool _type_mutable = false;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_rw("x", &PointObj::x); }
