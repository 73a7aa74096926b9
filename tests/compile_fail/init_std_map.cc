// SPDX-License-Identifier: Apache-2.0
// Wrong use: a constructor that takes a standard container without tain/stl.h.
// expect: a parameter's type does not cross the border: give it a tain::TypeTraits, or include
// tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

#include <map>
#include <string>

struct BoxObj : tain::Object {
  explicit BoxObj(std::map<std::string, int>) {}
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<BoxObj>().def_init<std::map<std::string, int>>(tain::arg("values"));
}
