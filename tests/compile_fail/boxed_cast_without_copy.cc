// SPDX-License-Identifier: Apache-2.0
// Wrong use: a value as a boxed class that cannot be copied.
// expect: cast<T>(): a T can be neither copied nor moved: cast to T*
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER {
  tain::reflection::GlobalDef().def(
      "wrong.number", [](tain::Any value) { return value.cast<lib::Handle>().number; });
}
