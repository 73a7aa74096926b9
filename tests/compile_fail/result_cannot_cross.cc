// SPDX-License-Identifier: Apache-2.0
// Wrong use: a result of a type that does not cross.
// expect: a result's type does not cross the border: give it a tain::TypeTraits, or include
// tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

#include <vector>

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.make", [] { return std::vector<int>(); });
}
