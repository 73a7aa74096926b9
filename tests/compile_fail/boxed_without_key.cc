// SPDX-License-Identifier: Apache-2.0
// Wrong use: a boxed class without a key.
// expect: ObjectDef: its arguments are documentation
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER { tain::reflection::ObjectDef<tain::Boxed<lib::Handle>>(); }
