// SPDX-License-Identifier: Apache-2.0
// Wrong use: a constant of a type that does not cross.
// expect: def_attr: the value's type does not cross the border: give it a tain::TypeTraits, or
// include tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

struct Matrix {};

struct BoxObj : tain::Object {
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>().def_attr("UNIT", Matrix{}); }
