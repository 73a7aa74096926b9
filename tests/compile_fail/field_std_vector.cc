// SPDX-License-Identifier: Apache-2.0
// Wrong use: a field of a standard container without tain/stl.h.
// expect: def_ro/def_rw: the field's type does not cross the border: give it a tain::TypeTraits,
// use def_property, or include tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

#include <vector>

struct BoxObj : tain::Object {
  std::vector<int> values;
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>().def_ro("values", &BoxObj::values); }
