// SPDX-License-Identifier: Apache-2.0
// Wrong use: a generic lambda as a method.
// expect: this callable has a generic or overloaded operator(): pick one signature, for example
// [f](int x) { return f(x); }
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def("same", [](const auto& self) { return self.x; });
}
