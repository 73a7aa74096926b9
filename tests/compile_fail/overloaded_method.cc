// SPDX-License-Identifier: Apache-2.0
// Wrong use: the name of overloaded member functions.
// output: UseOverloadCast
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double Get() const { return 1; }
  double Get(int) const { return 1; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def("get", &PointObj::Get); }
