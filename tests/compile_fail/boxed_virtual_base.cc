// SPDX-License-Identifier: Apache-2.0
// Wrong use: a virtual base class as the base of a boxed class.
// expect: boxed_base<B>: B is a virtual base class, which a box cannot have
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER {
  struct Child : virtual lib::Handle {};
  tain::reflection::ObjectDef<tain::Boxed<Child>>("wrong.Child", tain::boxed_base<lib::Handle>());
}
