// SPDX-License-Identifier: Apache-2.0
// Wrong use: make_object of an abstract class.
// expect: make_object<T>: T has a pure virtual method
#include "tain/ref.h"

struct ShapeObj : tain::Object {
  virtual double Area() const = 0;
  TAIN_OBJECT("wrong.Shape", ShapeObj, tain::Object);
};

tain::ObjectRef Make() { return tain::Ref<ShapeObj>(tain::make_object<ShapeObj>()); }
