// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: a virtual method that C++ does not call through TAIN_VIRTUAL.
#include "tain/reflection/object_def.h"

namespace {

struct NoVirtualObj : tain::Object {
  int64_t area() const { return 1; }
  TAIN_OBJECT("faulty.NoVirtual", NoVirtualObj, tain::Object);
};

}  // namespace

TAIN_REGISTER {
  tain::reflection::ObjectDef<NoVirtualObj>().def_virtual("area", &NoVirtualObj::area);
}
