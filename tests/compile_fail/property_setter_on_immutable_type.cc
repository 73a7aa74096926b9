// SPDX-License-Identifier: Apache-2.0
// Wrong use: a property that assigns to a type that cannot change.
// expect: def_property: the class says _type_mutable = false: give no setter
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  static constexpr bool _type_mutable = false;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def_property(
      "x", [](const PointObj& self) { return self.x; },
      [](PointObj& self, double x) { self.x = x; });
}
