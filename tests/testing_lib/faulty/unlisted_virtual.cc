// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: C++ calls a virtual method that nobody lists.
#include "tain/reflection/object_def.h"
#include "tain/virtual.h"

namespace {

struct UnlistedObj : tain::Object {
  TAIN_VIRTUAL(area)
  int64_t area_impl() const { return 1; }
  TAIN_VIRTUAL(uncalled)
  int64_t uncalled_impl() const { return 1; }
  int64_t Twice() const { return 2 * area(); }
  TAIN_OBJECT("faulty.Unlisted", UnlistedObj, tain::Object);
};

}  // namespace

TAIN_REGISTER { tain::reflection::ObjectDef<UnlistedObj>().def("twice", &UnlistedObj::Twice); }
