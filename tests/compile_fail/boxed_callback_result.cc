// SPDX-License-Identifier: Apache-2.0
// Wrong use: a callback that returns a pointer to a boxed object.
// expect: a callback's result cannot point to a boxed object, which dies with what the callback
// returned: use a value, std::shared_ptr or tain::Ref
#include "tain/boxed.h"
#include "tain/stl.h"

namespace lib {
struct Node {
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER {
  tain::reflection::GlobalDef().def(
      "wrong.apply", [](const std::function<lib::Node*()>& make) { return make()->number; });
}
