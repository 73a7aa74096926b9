// SPDX-License-Identifier: Apache-2.0
// Wrong use: a constructor that does not initialize a Ref.
// output: a Ref is never null: initialize it, or use tain::Ptr, which may be null
#include "tain/tain.h"

struct PointObj : tain::Object {
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};
struct LineObj : tain::Object {
  tain::Ref<PointObj> start;
  double w;
  explicit LineObj(double w) : w(w) {}
  TAIN_OBJECT("wrong.Line", LineObj, tain::Object);
};
