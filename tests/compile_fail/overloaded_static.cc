// SPDX-License-Identifier: Apache-2.0
// Wrong use: the name of overloaded static member functions.
// output: UseOverloadCast
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  static double Get() { return 1; }
  static double Get(int) { return 1; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_static("get", &PointObj::Get); }
