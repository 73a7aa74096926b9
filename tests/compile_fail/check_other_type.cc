// SPDX-License-Identifier: Apache-2.0
// Wrong use: the condition of a field takes values of another type.
// expect: check/range: the condition takes a value of the field's type and returns bool
#include "tain/reflection/object_def.h"

struct ItemObj : tain::Object {
  tain::String name;
  TAIN_OBJECT("wrong.Item", ItemObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<ItemObj>().def_rw(
      "name", &ItemObj::name, tain::check([](double value) { return value > 0; }, "above 0"));
}
