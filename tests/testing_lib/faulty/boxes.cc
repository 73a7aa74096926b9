// SPDX-License-Identifier: Apache-2.0
// Mistakes on purpose with boxed classes: names that are not known, keys that are taken.
#include "tain/boxed.h"

#include "tain/container/array.h"

namespace faulty {

struct First {
  int number = 0;
};
struct Second {
  int number = 0;
};
struct Unknown {};
struct Child : Unknown {};

}  // namespace faulty

TAIN_REGISTER {
  using namespace tain::reflection;
  using tain::Boxed;
  ObjectDef<Boxed<faulty::First>>("faulty.First").def_ro("number", &faulty::First::number);
  ObjectDef<Boxed<faulty::First>>("faulty.Other");
  ObjectDef<Boxed<faulty::Second>>("faulty.First");
  ObjectDef<Boxed<faulty::Child>>("faulty.Child", tain::boxed_base<faulty::Unknown>());
  GlobalDef().def("faulty.takes_unknown", [](const faulty::Unknown&) {});
}
