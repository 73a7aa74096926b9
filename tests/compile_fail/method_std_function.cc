// SPDX-License-Identifier: Apache-2.0
// Wrong use: a method that takes a std::function without tain/stl.h.
// expect: a parameter's type does not cross the border: give it a tain::TypeTraits, or include
// tain/stl.h for standard containers
#include "tain/reflection/object_def.h"

#include <functional>

struct BoxObj : tain::Object {
  int Apply(const std::function<int(int)>& f) const { return f(1); }
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

TAIN_REGISTER { tain::reflection::ObjectDef<BoxObj>().def("apply", &BoxObj::Apply); }
