// SPDX-License-Identifier: Apache-2.0
// Wrong use: a flag that properties do not have.
// expect: def_property: after getter and setter it takes documentation, release_gil(),
// thread_safe(), lock_receiver(), lenient(), keep_alive(), no_keep_alive() and as_numpy(); this flag is for other members
// output: tain::abstract
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double Get() const { return 1; }
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def_property("get", &PointObj::Get, tain::abstract());
}
