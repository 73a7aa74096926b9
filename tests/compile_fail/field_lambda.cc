// SPDX-License-Identifier: Apache-2.0
// Wrong use: a function as a field.
// expect: def_ro/def_rw: this is no data member: use def_property for what a function computes,
// def_attr for a constant
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def_ro("x", [](const PointObj& self) { return self.x; });
}
