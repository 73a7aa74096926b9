// SPDX-License-Identifier: Apache-2.0
// Wrong use: an object as a result by value.
// expect: an object cannot be returned by value: return tain::Ref<T>, T& or T*
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.make", [] { return PointObj(); });
}
