// SPDX-License-Identifier: Apache-2.0
// Wrong use: a boxed class that cannot be copied as a parameter by value.
// expect: a parameter by value is a copy of the argument, and this class cannot be copied: take T&,
// const T& or T*
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER {
  tain::reflection::ObjectDef<tain::Boxed<lib::Handle>>("wrong.Handle")
      .def("twice", [](const lib::Handle&, lib::Handle other) { return other.number; });
}
