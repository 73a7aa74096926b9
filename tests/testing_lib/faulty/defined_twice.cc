// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: two descriptions of one type.
#include "tain/reflection/object_def.h"

namespace {

struct DefinedObj : tain::Object {
  int64_t value = 0;
  TAIN_OBJECT("faulty.Defined", DefinedObj, tain::Object);
};

}  // namespace

TAIN_REGISTER { tain::reflection::ObjectDef<DefinedObj>().def_rw("value", &DefinedObj::value); }
TAIN_REGISTER { tain::reflection::ObjectDef<DefinedObj>().def_ro("value", &DefinedObj::value); }
