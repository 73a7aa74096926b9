// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: registration code that throws, and other code that does not.
#include "tain/reflection/global_def.h"

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("faulty.before", [] { return 1; });
  throw 42;
}
TAIN_REGISTER { TAIN_THROW(ValueError) << "registration that gives up"; }
