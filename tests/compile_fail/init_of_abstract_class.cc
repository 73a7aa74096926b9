// SPDX-License-Identifier: Apache-2.0
// Wrong use: a constructor of an abstract class.
// expect: def_init: the class has a pure virtual method
#include "tain/reflection/object_def.h"

struct ShapeObj : tain::Object {
  virtual double Area() const = 0;
  TAIN_OBJECT("wrong.Shape", ShapeObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<ShapeObj>().def_init<>(); }
