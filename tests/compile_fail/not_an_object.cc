// SPDX-License-Identifier: Apache-2.0
// Wrong use: a class that does not derive from tain::Object.
// expect: ObjectDef<T>: T must derive from tain::Object
#include "tain/reflection/object_def.h"

struct Point {
  double x = 0;
};

TAIN_REGISTER { tain::reflection::ObjectDef<Point>().def_ro("x", &Point::x); }
