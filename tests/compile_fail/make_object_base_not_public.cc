// SPDX-License-Identifier: Apache-2.0
// Wrong use: make_object of a class whose base is not public.
// expect: make_object<T>: the base class of T must be public: struct T : tain::Object, or class T :
// public tain::Object
#include "tain/tain.h"

class PointObj : tain::Object {
 public:
  double x = 0;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

tain::ObjectRef Make() { return tain::make_object<PointObj>(); }
