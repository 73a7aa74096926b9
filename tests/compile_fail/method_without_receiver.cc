// SPDX-License-Identifier: Apache-2.0
// Wrong use: a method that does not take the object.
// expect: def: the first parameter of a method must take the object: T&, const T&, T* or
// tain::Ref<T>; use def_static for a function without it
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def("twice", [](int x) { return 2 * x; });
}
