// SPDX-License-Identifier: Apache-2.0
// Types of tain: what both the library and the extension module include.
#pragma once

#include <tain/tain.h>

namespace sketch {

struct PointObj : tain::Object {
  double x, y;
  PointObj(double x, double y) : x(x), y(y) {}
  TAIN_OBJECT("sketch.Point", PointObj, tain::Object);
};
using Point = tain::Ref<PointObj>;

}  // namespace sketch
