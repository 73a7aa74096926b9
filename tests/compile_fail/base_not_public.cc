// SPDX-License-Identifier: Apache-2.0
// Wrong use: a base class that is not public.
// expect: ObjectDef<T>: the base class of T must be public: struct T : tain::Object, or class T : public
// tain::Object
#include "tain/reflection/object_def.h"

class PointObj : tain::Object {
 public:
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>()
      .def_init_with_defaults<void(double), void()>()
      .def_rw("x", &PointObj::x);
}
