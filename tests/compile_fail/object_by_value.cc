// SPDX-License-Identifier: Apache-2.0
// Wrong use: an object as a parameter by value.
// expect: an object parameter is taken as T&, const T&, T*, tain::Ref<T> or tain::Ptr<T>, not by
// value
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.x", [](PointObj p) { return p.x; });
}
