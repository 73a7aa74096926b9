// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: a library that says it was compiled for another tain.
#include "tain/version.h"

#undef TAIN_ABI_VERSION_MAJOR
#define TAIN_ABI_VERSION_MAJOR 99

#include "tain/reflection/object_def.h"

namespace {

struct ForeignObj : tain::Object {
  int64_t value = 0;
  TAIN_OBJECT("faulty.Foreign", ForeignObj, tain::Object);
};

}  // namespace

TAIN_REGISTER {
  tain::reflection::ObjectDef<ForeignObj>().def_rw("value", &ForeignObj::value).def_init<>();
  tain::reflection::GlobalDef().def("faulty.foreign", [] { return 1; });
}
