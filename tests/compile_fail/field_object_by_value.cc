// SPDX-License-Identifier: Apache-2.0
// Wrong use: a member that holds an object by value.
// expect: def_ro/def_rw: the member holds an object by value, which cannot be counted: hold it as
// tain::Ref<U>, or as tain::Ptr<U>, which may be null
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};
struct LineObj : tain::Object {
  PointObj start;
  TAIN_OBJECT("wrong.Line", LineObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<LineObj>().def_rw("start", &LineObj::start); }
