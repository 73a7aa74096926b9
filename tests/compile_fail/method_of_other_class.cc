// SPDX-License-Identifier: Apache-2.0
// Wrong use: a member function of another class.
// expect: def: this is a member function of another class, not of ObjectDef's class or its bases
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};
struct BoxObj : tain::Object {
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>().def("get", &PointObj::Get); }
