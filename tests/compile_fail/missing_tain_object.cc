// SPDX-License-Identifier: Apache-2.0
// Wrong use: a class without TAIN_OBJECT.
// expect: ObjectDef<T>: T has no TAIN_OBJECT(key, T, Parent) of its own
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_ro("x", &PointObj::x); }
