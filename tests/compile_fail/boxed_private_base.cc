// SPDX-License-Identifier: Apache-2.0
// Wrong use: a class that is no public base as the base of a boxed class.
// expect: boxed_base<B>: B is no public base class
#include "tain/boxed.h"

namespace lib {
struct Base {};
class Child : Base {};
}  // namespace lib

TAIN_REGISTER {
  tain::reflection::ObjectDef<tain::Boxed<lib::Child>>("wrong.Child",
                                                       tain::boxed_base<lib::Base>());
}
