// SPDX-License-Identifier: Apache-2.0
// Wrong use: an object that cannot be copied as a parameter by value.
// expect: a parameter by value is a copy of the argument, and this class cannot be copied: take T&,
// const T& or T*
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  PointObj() = default;
  PointObj(const PointObj&) = delete;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.x", [](PointObj p) { return p.x; });
}
