// SPDX-License-Identifier: Apache-2.0
// Wrong use: a field of a type that does not cross.
// expect: def_ro/def_rw: the field's type does not cross the border: give it a tain::TypeTraits,
// use def_property, or include tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

struct Matrix {
  double values[4];
};
struct BoxObj : tain::Object {
  Matrix matrix;
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>().def_rw("matrix", &BoxObj::matrix); }
