// SPDX-License-Identifier: Apache-2.0
// Mistakes on purpose: several of different kinds, all of which one error must name.
#include "tain/reflection/object_def.h"

namespace {

struct ManyObj : tain::Object {
  int64_t value = 0;
  int64_t Get() const { return value; }
  TAIN_OBJECT("faulty.Many", ManyObj, tain::Object);
};

int64_t Add(int64_t a, int64_t b) { return a + b; }

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::ObjectDef<ManyObj>(tain::frozen())
      .def_rw("value", &ManyObj::value)
      .def("get", &ManyObj::Get)
      .def("get", &ManyObj::Get);
  tain::reflection::GlobalDef()
      .def("faulty.one_name", Add, arg("a"))
      .def("faulty.same_names", Add, arg("a"), arg("a"))
      .def("faulty.default_first", Add, arg("a") = 1, arg("b"));
}
