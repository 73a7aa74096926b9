// SPDX-License-Identifier: Apache-2.0
// Wrong use: a field that is a std::optional without tain/stl.h.
// expect: def_ro/def_rw: the field's type does not cross the border: give it a tain::TypeTraits,
// use def_property, or include tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

#include <optional>

struct BoxObj : tain::Object {
  std::optional<int> value;
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>().def_rw("value", &BoxObj::value); }
