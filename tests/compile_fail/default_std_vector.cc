// SPDX-License-Identifier: Apache-2.0
// Wrong use: a default that is a standard container without tain/stl.h.
// expect: arg: the default's type does not cross the border: give it a tain::TypeTraits, or
// include tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

#include <vector>

TAIN_REGISTER {
  tain::reflection::GlobalDef().def(
      "wrong.count", [](tain::Any values) { return values; },
      tain::arg("values") = std::vector<int>{1, 2});
}
