// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: a function's name is taken. The other function must not stay either.
#include "tain/reflection/global_def.h"

TAIN_REGISTER {
  tain::reflection::GlobalDef()
      .def("faulty.innocent", [] { return 1; })
      .def("testing.echo", [](int64_t x) { return x; });
}
