// SPDX-License-Identifier: Apache-2.0
// Wrong use: a member function as a field.
// expect: def_ro/def_rw: this is a member function: use def_property, or def for a method
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_rw("x", &PointObj::Get); }
