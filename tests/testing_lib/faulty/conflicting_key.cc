// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: a key that another library has, with another size.
#include "tain/reflection/object_def.h"

namespace {

struct PointObj : tain::Object {
  double x = 0, y = 0, z = 0;
  TAIN_OBJECT("testing.Point", PointObj, tain::Object);
};

}  // namespace

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_rw("z", &PointObj::z); }
