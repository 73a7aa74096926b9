// SPDX-License-Identifier: Apache-2.0
// Wrong use: a flag that fields do not have.
// expect: def_ro/def_rw: a field takes documentation, default_, default_factory and the flags of
// fields; release_gil(), thread_safe(), lenient() and keep_alive() are for functions, methods and
// def_property
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  double Get() const { return x; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def_ro("x", &PointObj::x, tain::release_gil());
}
