// SPDX-License-Identifier: Apache-2.0
// Wrong use: a field constructor without a default constructor.
// expect: def_init_fields: the class needs a default constructor
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x;
  explicit PointObj(double x) : x(x) {}
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def_rw("x", &PointObj::x).def_init_fields();
}
