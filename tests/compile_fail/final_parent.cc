// SPDX-License-Identifier: Apache-2.0
// Wrong use: a child of a final class.
// expect: TAIN_OBJECT: the parent is declared final
#include "tain/object.h"
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  TAIN_DECLARE_OBJECT_INFO_FINAL("wrong.Point", PointObj, tain::Object);
};
struct ChildObj : PointObj {
  TAIN_OBJECT("wrong.Child", ChildObj, PointObj);
};

TAIN_REGISTER { tain::reflection::ObjectDef<ChildObj>(); }
