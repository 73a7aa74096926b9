// SPDX-License-Identifier: Apache-2.0
// Wrong use: a method of another class than the boxed one.
// expect: def: this is a member function of another class, not of ObjectDef's class or its bases
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER {
  struct Other {
    int get() const { return 1; }
  };
  tain::reflection::ObjectDef<tain::Boxed<lib::Handle>>("wrong.Handle").def("get", &Other::get);
}
