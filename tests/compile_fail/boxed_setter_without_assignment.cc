// SPDX-License-Identifier: Apache-2.0
// Wrong use: an assignable field of a boxed class that cannot be assigned.
// expect: def_rw: the member is a pointer, or of a boxed class that cannot be assigned: use def_ro,
// or def_property with a setter
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER {
  struct Box {
    lib::Handle handle;
  };
  tain::reflection::ObjectDef<tain::Boxed<Box>>("wrong.Box").def_rw("handle", &Box::handle);
}
