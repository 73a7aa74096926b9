// SPDX-License-Identifier: Apache-2.0
// The types of places inside of graphs of the ecosystem, which the package `tvm_ffi` makes and reads.
#include "tain/reflection/inspect.h"
#include "tain/tain.h"

namespace tain::compat {
namespace {

struct AccessStepObj : Object {
  int64_t kind = 0;
  Any key;
  TAIN_OBJECT("ffi.reflection.AccessStep", AccessStepObj, Object);
};

struct AccessPathObj : Object {
  Optional<ObjectRef> parent;
  Optional<ObjectRef> step;
  int64_t depth = 0;
  TAIN_OBJECT("ffi.reflection.AccessPath", AccessPathObj, Object);
};

}  // namespace
}  // namespace tain::compat

TAIN_REGISTER {
  using namespace tain::compat;      // NOLINT(google-build-using-namespace)
  using namespace tain::reflection;  // NOLINT(google-build-using-namespace)
  ObjectDef<AccessStepObj>()
      .def_ro("kind", &AccessStepObj::kind)
      .def_ro("key", &AccessStepObj::key);
  ObjectDef<AccessPathObj>()
      .def_ro("parent", &AccessPathObj::parent)
      .def_ro("step", &AccessPathObj::step)
      .def_ro("depth", &AccessPathObj::depth);
}
