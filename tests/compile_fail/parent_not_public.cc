// SPDX-License-Identifier: Apache-2.0
// Wrong use: a parent that is not public.
// expect: ObjectDef<T>: the base class of T must be public: struct T : tain::Object, or class T : public
// tain::Object
#include "tain/reflection/object_def.h"

struct BaseObj : tain::Object {
  double x = 0;
  TAIN_OBJECT("wrong.Base", BaseObj, tain::Object);
};
class PointObj : BaseObj {
 public:
  double y = 0;
  TAIN_OBJECT("wrong.Point", PointObj, BaseObj);
};

TAIN_REGISTER { tain::reflection::ObjectDef<PointObj>().def_rw("y", &PointObj::y); }
