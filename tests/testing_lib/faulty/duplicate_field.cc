// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: a field is registered twice.
#include "tain/reflection/object_def.h"

namespace {

struct TwiceObj : tain::Object {
  int64_t value = 0;
  TAIN_OBJECT("faulty.Twice", TwiceObj, tain::Object);
};

}  // namespace

TAIN_REGISTER {
  tain::reflection::ObjectDef<TwiceObj>()
      .def_rw("value", &TwiceObj::value)
      .def_ro("value", &TwiceObj::value);
}
