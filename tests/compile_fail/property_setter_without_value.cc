// SPDX-License-Identifier: Apache-2.0
// Wrong use: a setter that takes no value.
// expect: def_property: the setter takes the object and the value
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def_property(
      "x", [](const PointObj& self) { return self.x; }, [](PointObj& self) { self.x = 0; });
}
