// SPDX-License-Identifier: Apache-2.0
// Wrong use: a condition of a member that nothing but the constructor sets.
// expect: check/range: the member is const, so only the constructor sets it: check the value there
#include "tain/reflection/object_def.h"

struct ItemObj : tain::Object {
  const int64_t count = 0;
  TAIN_OBJECT("wrong.Item", ItemObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<ItemObj>().def_ro("count", &ItemObj::count, tain::range(0, 9));
}
