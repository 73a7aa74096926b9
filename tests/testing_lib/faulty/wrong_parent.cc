// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: a key that another library has, with another parent.
#include "tain/reflection/object_def.h"

namespace {

struct Depth2Obj : tain::Object {
  int64_t a = 1, b = 2;
  TAIN_OBJECT("testing.Depth2", Depth2Obj, tain::Object);
};

}  // namespace

TAIN_REGISTER { tain::reflection::ObjectDef<Depth2Obj>().def_rw("b", &Depth2Obj::b); }
