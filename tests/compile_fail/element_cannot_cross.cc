// SPDX-License-Identifier: Apache-2.0
// Wrong use: a standard container of what does not cross.
// expect: a parameter's type does not cross the border: give it a tain::TypeTraits, or include
// tain/stl.h for standard containers
#include "tain/reflection/object_def.h"
#include "tain/stl.h"

#include <sstream>

TAIN_REGISTER {
  tain::reflection::GlobalDef().def(
      "wrong.sum", [](const std::vector<std::ostringstream*>& all) { return all.size(); });
}
