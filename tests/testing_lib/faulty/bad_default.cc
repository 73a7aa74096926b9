// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: defaults that parameters and fields cannot take.
#include "tain/reflection/object_def.h"

namespace {

struct DefaultObj : tain::Object {
  int64_t value = 0;
  TAIN_OBJECT("faulty.Default", DefaultObj, tain::Object);
};

}  // namespace

TAIN_REGISTER {
  tain::reflection::ObjectDef<DefaultObj>()
      .def_rw("value", &DefaultObj::value, tain::default_("text"))
      .def_init_fields();
  tain::reflection::GlobalDef().def(
      "faulty.twice", [](int64_t x) { return 2 * x; }, tain::arg("x") = "text");
}
