// SPDX-License-Identifier: Apache-2.0
// Ten thousand registered types with a field and a constructor each, made of one class in a loop.
#include <tain/tain.h>

#include <string>

namespace many {

struct ThingObj : tain::Object {
  int64_t x = 1;
  TAIN_OBJECT("many.Thing", ThingObj, tain::Object);
};

/// Describes a key that has no class of its own as if it were ThingObj.
class Definition : private tain::internal::TypeBuilder {
 public:
  Definition(int32_t index, const char* key) : TypeBuilder(tain::internal::ThisUnit(), index, key) {
    Open(tain::internal::kTypeDef<ThingObj>, 0, {});
    AddField("x", tain::internal::kFieldShape<int64_t>, sizeof(tain::Object), kTainFieldWritable,
             nullptr);
    using Sig = tain::internal::Signature<void>;
    AddInit(&tain::internal::ConstructInPlace<ThingObj>, tain::internal::kShape<Sig>, nullptr);
  }
};

int32_t RequestIndex(const std::string& key) {
  TainTypeRequest request{};
  request.key = {key.data(), key.size()};
  request.static_index = -1;
  request.parent = kTainObject;
  request.depth = 1;
  request.child_slots_can_overflow = 1;
  request.size = sizeof(ThingObj);
  request.alignment = alignof(ThingObj);
  request.unit = tain::internal::ThisUnit();
  return TainTypeRequestIndex(&request);
}

TAIN_REGISTER {
  for (int i = 0; i < 10000; ++i) {
    const std::string key = "many.T" + std::to_string(i);
    Definition(RequestIndex(key), key.c_str());
  }
}

}  // namespace many
