// SPDX-License-Identifier: Apache-2.0
// Wrong use: a boxed class that can be neither moved nor copied as a result by value.
// expect: a result by value is moved, and this class can neither be moved nor copied: return T&,
// T*, tain::Ref<T> or, of a boxed class, std::unique_ptr<T>
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.make", [] { return lib::Handle(); });
}
