// SPDX-License-Identifier: Apache-2.0
// A mistake on purpose: a field of an enum that nobody describes.
#include "tain/reflection/object_def.h"

namespace faulty {

enum class Kind { kOne = 1 };
struct PlainEnumObj : tain::Object {
  Kind kind = Kind::kOne;
  TAIN_OBJECT("faulty.PlainEnum", PlainEnumObj, tain::Object);
};

}  // namespace faulty

TAIN_REGISTER {
  tain::reflection::ObjectDef<faulty::PlainEnumObj>().def_rw("kind", &faulty::PlainEnumObj::kind);
}
