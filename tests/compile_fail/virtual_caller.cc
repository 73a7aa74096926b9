// SPDX-License-Identifier: Apache-2.0
// Wrong use: def_virtual with the function that TAIN_VIRTUAL declares.
// output: UseTheImplFunction
#include "tain/reflection/object_def.h"
#include "tain/virtual.h"

struct ShapeObj : tain::Object {
  TAIN_VIRTUAL(area)
  virtual double area_impl() { return 1; }
  virtual ~ShapeObj() = default;
  TAIN_OBJECT("wrong.Shape", ShapeObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<ShapeObj>().def_virtual("area", &ShapeObj::area); }
