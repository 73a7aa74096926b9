// SPDX-License-Identifier: Apache-2.0
// Wrong use: make_object of a class with a Ref without default.
// expect: make_object<T>: T has no constructor that takes these arguments; a member tain::Ref<U> has no
// default: initialize it, or make it a tain::Ptr<U>
#include "tain/tain.h"

struct PointObj : tain::Object {
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};
struct LineObj : tain::Object {
  tain::Ref<PointObj> start;
  TAIN_OBJECT("wrong.Line", LineObj, tain::Object);
};
tain::ObjectRef Make() { return tain::make_object<LineObj>(); }
