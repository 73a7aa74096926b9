// SPDX-License-Identifier: Apache-2.0
// Wrong use: a field that owns nothing.
// expect: def_ro/def_rw: the field is a view that owns nothing: use tain::String, tain::Any or Ref
#include "tain/reflection/object_def.h"

#include <string_view>

struct BoxObj : tain::Object {
  std::string_view text;
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>().def_ro("text", &BoxObj::text); }
